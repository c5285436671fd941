#include "isa/evaluate.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "isa/disassembler.hpp"
#include "isa/semantics/bind_arithmetic.hpp"
#include "isa/semantics/bind_compare.hpp"
#include "isa/semantics/bind_convert.hpp"
#include "isa/semantics/bind_float.hpp"
#include "isa/semantics/bind_half.hpp"
#include "isa/semantics/bind_logic.hpp"
#include "isa/semantics/environment.hpp"

namespace warpwright::isa {
namespace {

using namespace semantics;

template <class T>
T decode(u64 bits) {
  if constexpr (std::is_same_v<T, bool>) {
    return bits != 0;
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>) {
    return {static_cast<u16>(bits)};
  } else if constexpr (std::is_class_v<T>) {
    return {static_cast<u32>(bits), static_cast<decltype(T::high)>(static_cast<u32>(bits >> 32))};
  } else if constexpr (std::is_floating_point_v<T>) {
    return __builtin_bit_cast(T, static_cast<BitsOf<T>>(bits));
  } else {
    return static_cast<T>(bits);
  }
}

template <class T>
u64 encode(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? 1 : 0;
  } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>) {
    return value.bits;
  } else if constexpr (std::is_same_v<T, Words>) {
    return static_cast<u64>(value.high) << 32 | value.low;
  } else if constexpr (std::is_floating_point_v<T>) {
    return __builtin_bit_cast(BitsOf<T>, value);
  } else if constexpr (sizeof(T) == 8) {
    return static_cast<u64>(value);
  } else {
    return static_cast<u32>(value);
  }
}

template <class T>
void store(T value, OperandValues& destinations) {
  destinations[0] = encode(value);
}
template <class A, class B>
void store(Pair<A, B> value, OperandValues& destinations) {
  destinations = {encode(value.first), encode(value.second)};
}
void store(Bytes value, OperandValues& destinations) {
  for (u32 i = 0; i < 4; ++i) destinations[i] = value.byte[i];
}

using Evaluator = OperandValues (*)(const Instruction&, const OperandValues&);

template <auto F, class R, class... A, std::size_t... I>
OperandValues apply(R (*)(A...), const Instruction&, const OperandValues& sources, std::index_sequence<I...>) {
  OperandValues destinations{};
  store(F(decode<A>(sources[I])...), destinations);
  return destinations;
}
template <auto F, class R, class... A, std::size_t... I>
OperandValues apply(R (*)(const Modifiers&, A...), const Instruction& instruction, const OperandValues& sources,
                    std::index_sequence<I...>) {
  OperandValues destinations{};
  store(F(instruction.modifiers, decode<A>(sources[I])...), destinations);
  return destinations;
}
template <class R, class... A>
constexpr auto operandsOf(R (*)(A...)) {
  return std::make_index_sequence<sizeof...(A)>{};
}
template <class R, class... A>
constexpr auto operandsOf(R (*)(const Modifiers&, A...)) {
  return std::make_index_sequence<sizeof...(A)>{};
}

template <auto F>
[[gnu::noinline]] OperandValues evaluateExact(const Instruction& instruction, const OperandValues& sources) {
  return apply<F>(F, instruction, sources, operandsOf(F));
}
template <auto F>
OperandValues evaluateRounded(const Instruction& instruction, const OperandValues& sources) {
  const RoundingScope scope(instruction.modifiers.rounding);
  return evaluateExact<F>(instruction, sources);
}
// Masks of one lane.
template <auto F>
OperandValues evaluatePredicates(const Instruction& instruction, const OperandValues& sources) {
  OperandValues result = apply<F>(F, instruction, sources, operandsOf(F));
  result[0] &= 1;
  return result;
}

template <auto F, class T>
bool compare(bool (*)(T, T), const Instruction& instruction, const OperandValues& sources) {
  const CompareForm& form = kCompareForms[static_cast<u32>(instruction.modifiers.compare)];
  const T a = decode<T>(sources[form.swapped ? 1 : 0]), b = decode<T>(sources[form.swapped ? 0 : 1]);
  return F(a, b) != form.negated;
}
template <auto F>
OperandValues evaluateComparison(const Instruction& instruction, const OperandValues& sources) {
  const bool holds = compare<F>(F, instruction, sources);
  const BoolOp operation = instruction.modifiers.combine;
  return {combine(operation, holds, sources[2]), combine(operation, !holds, sources[2])};
}
template <auto F>
OperandValues evaluateComparisonSet(const Instruction& instruction, const OperandValues& sources) {
  const bool holds = compare<F>(F, instruction, sources);
  return {combine(instruction.modifiers.combine, holds, sources[2]) != 0 ? setValue(instruction.type) : 0};
}

struct ScalarBinder {
  using Result = Evaluator;
  template <auto F>
  Evaluator exact(Op<F>) const {
    return evaluateExact<F>;
  }
  template <auto F>
  Evaluator rounded(Op<F>) const {
    return evaluateRounded<F>;
  }
  template <auto F>
  Evaluator predicates(Op<F>) const {
    return evaluatePredicates<F>;
  }
  template <auto F>
  Evaluator comparison(Op<F>) const {
    return evaluateComparison<F>;
  }
  template <auto F>
  Evaluator comparisonSet(Op<F>) const {
    return evaluateComparisonSet<F>;
  }
};

Evaluator findConversion(const Instruction& instruction) {
  constexpr ScalarBinder kBinder;
  if (isFloat(instruction.sourceType)) {
    return isFloat(instruction.type) ? bindFloatToFloat(instruction, kBinder) : bindFloatToInteger(instruction, kBinder);
  }
  return isFloat(instruction.type) ? bindIntegerToFloat(instruction, kBinder) : bindIntegerToInteger(instruction, kBinder);
}

Evaluator find(const Instruction& instruction) {
  constexpr ScalarBinder kBinder;
  const OpcodeInfo& row = info(instruction.opcode);
  if (row.family != Family::lane || !row.allows(instruction.type)) return nullptr;
  if (instruction.opcode == Opcode::cvt) return findConversion(instruction);
  if (const Evaluator found = bindHalf(instruction, kBinder)) return found;
  if (const Evaluator found = bindCompareAndSelect(instruction, kBinder)) return found;
  if (const Evaluator found = bindFloat(instruction, kBinder)) return found;
  if (const Evaluator found = bindArithmetic(instruction, kBinder)) return found;
  return bindBits(instruction, kBinder);
}

}  // namespace

bool hasSemantics(const Instruction& instruction) { return find(instruction) != nullptr; }

OperandValues evaluate(const Instruction& instruction, const OperandValues& sources) {
  const Evaluator evaluator = find(instruction);
  if (evaluator == nullptr) throw Error(fmt::format("the machine has no operation {}", disassemble(instruction, 64)));
  return evaluator(instruction, sources);
}

}  // namespace warpwright::isa
