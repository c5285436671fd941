// Makes a lane function of a scalar semantic function: a loop over 32 lanes that the compiler vectorises.
#pragma once

#include <utility>

#include "exec/lanes/operands.hpp"
#include "isa/semantics/bind.hpp"
#include "isa/semantics/compare.hpp"
#include "isa/semantics/environment.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

namespace semantics = isa::semantics::WARPWRIGHT_HOST_LEVEL;

using Core = void (*)(const DecodedInstruction&, const LaneState&, LaneMask executing, u32 stride, u32 first);

struct LanePair {
  LaneFunction of32 = nullptr, of64 = nullptr;
  explicit operator bool() const { return of32 != nullptr; }
};

WARPWRIGHT_SEMANTIC Window windowOf(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing, u32 stride,
                                    u32 first) {
  return {instruction, state, static_cast<u32>(executing.bits() >> first), stride, first};
}

// Splits a semantic function's type: does it take the modifiers, what are its operands.
template <class Function>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  static constexpr u32 kOperands = sizeof...(A);
  template <auto F, std::size_t... I>
  WARPWRIGHT_SEMANTIC static void run(const Window& window, std::index_sequence<I...>) {
    const auto loop = [&](const auto... source) {
      Writer<R> writer;
      for (u32 lane = 0; lane < kChunk; ++lane) writer.put(lane, F(source(lane)...));
      writer.commit(window, 0);
    };
    loop(Reader<A>(window, window.instruction.sources[I])...);
  }
  template <auto F, std::size_t... I>
  WARPWRIGHT_SEMANTIC static void runWhole(const Window& window, std::index_sequence<I...>) {
    const auto loop = [&](const auto... source) {
      DirectWriter<R> writer(window);
      WARPWRIGHT_LANES_APART
      for (u32 lane = 0; lane < kChunk; ++lane) writer.put(lane, F(source(lane)...));
      writer.finish(window);
    };
    loop(Reader<A>(window, window.instruction.sources[I])...);
  }
};
template <class R, class... A>
struct Signature<R (*)(const isa::Modifiers&, A...)> {
  using Result = R;
  static constexpr u32 kOperands = sizeof...(A);
  template <auto F, std::size_t... I>
  WARPWRIGHT_SEMANTIC static void run(const Window& window, std::index_sequence<I...>) {
    const isa::Modifiers& modifiers = window.instruction.instruction->modifiers;
    const auto loop = [&](const auto... source) {
      Writer<R> writer;
      for (u32 lane = 0; lane < kChunk; ++lane) writer.put(lane, F(modifiers, source(lane)...));
      writer.commit(window, 0);
    };
    loop(Reader<A>(window, window.instruction.sources[I])...);
  }
  template <auto F, std::size_t... I>
  WARPWRIGHT_SEMANTIC static void runWhole(const Window& window, std::index_sequence<I...>) {
    const isa::Modifiers& modifiers = window.instruction.instruction->modifiers;
    const auto loop = [&](const auto... source) {
      DirectWriter<R> writer(window);
      WARPWRIGHT_LANES_APART
      for (u32 lane = 0; lane < kChunk; ++lane) writer.put(lane, F(modifiers, source(lane)...));
      writer.finish(window);
    };
    loop(Reader<A>(window, window.instruction.sources[I])...);
  }
};

template <auto F>
[[gnu::noinline]] void lanesCore(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing, u32 stride, u32 first) {
  using Function = Signature<decltype(F)>;
  const Window window = windowOf(instruction, state, executing, stride, first);
  Function::template run<F>(window, std::make_index_sequence<Function::kOperands>{});
}

// Warps of 32: the usual case, in which all lanes execute, has a loop of its own.
template <auto F>
void run32Lanes(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing) {
  if (static_cast<u32>(executing.bits()) != kAllLanes) return lanesCore<F>(instruction, state, executing, 32, 0);
  using Function = Signature<decltype(F)>;
  const Window window{instruction, state, kAllLanes, 32, 0};
  Function::template runWhole<F>(window, std::make_index_sequence<Function::kOperands>{});
}

template <auto F>
[[gnu::noinline]] void predicateCore(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing, u32 stride,
                                     u32 first) {
  using Function = Signature<decltype(F)>;
  const Window window = windowOf(instruction, state, executing, stride, first);
  u64 result;
  if constexpr (Function::kOperands == 1) {
    result = F(predicateOf(window, instruction.sources[0]));
  } else {
    result = F(predicateOf(window, instruction.sources[0]), predicateOf(window, instruction.sources[1]));
  }
  commitPredicate(window, 0, static_cast<u32>(result));
}

template <auto F, class R, class A>
WARPWRIGHT_SEMANTIC u32 compareLanes(const Window& window, R (*)(A, A)) {
  const auto& form = semantics::kCompareForms[static_cast<u32>(window.instruction.instruction->modifiers.compare)];
  const Reader<A> left(window, window.instruction.sources[form.swapped ? 1 : 0]);
  const Reader<A> right(window, window.instruction.sources[form.swapped ? 0 : 1]);
  alignas(64) u32 result[kChunk];
  for (u32 lane = 0; lane < kChunk; ++lane) result[lane] = F(left(lane), right(lane)) ? kAllLanes : 0;
  const u32 mask = gatherMask(result);
  return form.negated ? ~mask : mask;
}

template <auto F>
[[gnu::noinline]] void compareCore(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing, u32 stride,
                                   u32 first) {
  const Window window = windowOf(instruction, state, executing, stride, first);
  const isa::BoolOp operation = instruction.instruction->modifiers.combine;
  if (operation == isa::BoolOp::none && !instruction.destinations[1].present) {
    commitPredicate(window, 0, compareLanes<F>(window, F));
    return;
  }
  const u32 compared = compareLanes<F>(window, F);
  const u32 predicate = predicateOf(window, instruction.sources[2]);
  commitPredicate(window, 0, static_cast<u32>(semantics::combine(operation, compared, predicate)));
  if (!instruction.destinations[1].present) return;
  commitPredicate(window, 1, static_cast<u32>(semantics::combine(operation, static_cast<u32>(~compared), predicate)));
}

// The usual comparison: all of 32 lanes execute, one predicate is written and none is combined with.
template <auto F>
void run32Compare(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing) {
  const bool isPlain = instruction.instruction->modifiers.combine == isa::BoolOp::none && !instruction.destinations[1].present;
  if (static_cast<u32>(executing.bits()) != kAllLanes || !isPlain) return compareCore<F>(instruction, state, executing, 32, 0);
  LaneMask& predicate = state.predicates[instruction.destinations[0].offset];
  predicate = (predicate - LaneMask(kAllLanes)) | LaneMask(compareLanes<F>({instruction, state, kAllLanes, 32, 0}, F));
}

template <auto F>
[[gnu::noinline]] void compareSetCore(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing, u32 stride,
                                      u32 first) {
  const Window window = windowOf(instruction, state, executing, stride, first);
  const u32 compared = compareLanes<F>(window, F);
  const u32 predicate = predicateOf(window, instruction.sources[2]);
  const u32 holds = static_cast<u32>(semantics::combine(instruction.instruction->modifiers.combine, compared, predicate));
  const u32 truth = semantics::setValue(instruction.instruction->type);
  Writer<u32> writer;
  for (u32 lane = 0; lane < kChunk; ++lane) writer.put(lane, (holds & kLaneBits.bit[lane]) != 0 ? truth : 0);
  writer.commit(window, 0);
}

template <Core C>
[[gnu::noinline]] void roundingCore(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing, u32 stride,
                                    u32 first) {
  const semantics::RoundingScope scope(instruction.instruction->modifiers.rounding);
  C(instruction, state, executing, stride, first);
}

template <Core C>
void run32(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing) {
  C(instruction, state, executing, 32, 0);
}
template <Core C>
void run64(const DecodedInstruction& instruction, const LaneState& state, LaneMask executing) {
  C(instruction, state, executing, 64, 0);
  C(instruction, state, executing, 64, 32);
}

// Binder (see isa/semantics/bind.hpp) that yields lane functions.
class LaneBinder {
 public:
  using Result = LanePair;
  explicit LaneBinder(const isa::Instruction& instruction) : rounding_(instruction.modifiers.rounding) {}

  template <auto F>
  LanePair exact(semantics::Op<F>) const {
    return lanePair<F>();
  }
  template <auto F>
  LanePair rounded(semantics::Op<F>) const {
    if (rounding_ == isa::Rounding::nearest) return lanePair<F>();
    return pair<roundingCore<lanesCore<F>>>();
  }
  template <auto F>
  LanePair predicates(semantics::Op<F>) const {
    return pair<predicateCore<F>>();
  }
  template <auto F>
  LanePair comparison(semantics::Op<F>) const {
    return {run32Compare<F>, run64<compareCore<F>>};
  }
  template <auto F>
  LanePair comparisonSet(semantics::Op<F>) const {
    return pair<compareSetCore<F>>();
  }

 private:
  template <auto F>
  static LanePair lanePair() {
    return {run32Lanes<F>, run64<lanesCore<F>>};
  }
  template <Core C>
  static LanePair pair() {
    return {run32<C>, run64<C>};
  }
  isa::Rounding rounding_;
};

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
