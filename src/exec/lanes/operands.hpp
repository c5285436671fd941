// Sources and destinations of a lane operation as typed values per lane.
#pragma once

#include "exec/lane_function.hpp"
#include "exec/lanes/mask.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

using isa::semantics::WARPWRIGHT_HOST_LEVEL::Brain;
using isa::semantics::WARPWRIGHT_HOST_LEVEL::Bytes;
using isa::semantics::WARPWRIGHT_HOST_LEVEL::Half;
using isa::semantics::WARPWRIGHT_HOST_LEVEL::Pair;
using isa::semantics::WARPWRIGHT_HOST_LEVEL::SignedWords;
using isa::semantics::WARPWRIGHT_HOST_LEVEL::Words;

// The 32 lanes from `first` on of registers that are `stride` words apart (32 or 64).
struct Window {
  const DecodedInstruction& instruction;
  const LaneState& state;
  u32 mask;  // executing lanes of the window
  u32 stride, first;
};

WARPWRIGHT_SEMANTIC u32 predicateOf(const Window& window, const LaneOperand& operand) {
  if (!operand.present) return 0;
  const u32 value = static_cast<u32>(window.state.predicates[operand.offset].bits() >> window.first);
  return operand.negated ? ~value : value;
}

WARPWRIGHT_SEMANTIC const u32* wordsOf(const Window& window, const LaneOperand& operand) {
  return window.state.words(operand) + window.first;
}

// A word of a register as a value of at most 32 bits, and back. Registers may hold more than a narrow type's bits: they are ignored.
template <class T>
WARPWRIGHT_SEMANTIC T fromWord(u32 word) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>) {
    return {static_cast<u16>(word)};
  } else if constexpr (std::is_same_v<T, float>) {
    return __builtin_bit_cast(float, word);
  } else {
    static_assert(std::is_integral_v<T>);
    return static_cast<T>(word);
  }
}
template <class T>
WARPWRIGHT_SEMANTIC u32 toWord(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>) {
    return value.bits;
  } else if constexpr (std::is_same_v<T, float>) {
    return __builtin_bit_cast(u32, value);
  } else {
    static_assert(std::is_integral_v<T>);
    return static_cast<u32>(value);  // extends by the sign of T
  }
}

// Values that go to several registers of their own.
template <class T>
inline constexpr bool kIsComposite = std::is_same_v<T, Bytes>;
template <class First, class Second>
inline constexpr bool kIsComposite<Pair<First, Second>> = true;

template <class T>
struct Reader {
  const u32* low;
  const u32* high;
  WARPWRIGHT_SEMANTIC Reader(const Window& window, const LaneOperand& operand) : low(wordsOf(window, operand)), high(low + window.stride) {}
  WARPWRIGHT_SEMANTIC T operator()(u32 lane) const {
    if constexpr (std::is_same_v<T, Words> || std::is_same_v<T, SignedWords>) {
      return {low[lane], static_cast<decltype(T::high)>(high[lane])};
    } else if constexpr (sizeof(T) == 8) {
      return __builtin_bit_cast(T, static_cast<u64>(high[lane]) << 32 | low[lane]);
    } else {
      return fromWord<T>(low[lane]);
    }
  }
};
template <>
struct Reader<bool> {
  u32 mask;
  WARPWRIGHT_SEMANTIC Reader(const Window& window, const LaneOperand& operand) : mask(predicateOf(window, operand)) {}
  WARPWRIGHT_SEMANTIC bool operator()(u32 lane) const { return (mask & kLaneBits.bit[lane]) != 0; }
};

// Collects a destination's values; commit() writes those of executing lanes.
template <class T>
struct Writer {
  alignas(64) u32 low[kChunk];
  WARPWRIGHT_SEMANTIC void put(u32 lane, T value) { low[lane] = toWord<T>(value); }
  WARPWRIGHT_SEMANTIC void commit(const Window& window, u32 index) {
    const LaneOperand& operand = window.instruction.destinations[index];
    writeLanes(window.state.registers + operand.offset + window.first, low, window.mask);
  }
};
template <class T>
requires(sizeof(T) == 8 && (std::is_arithmetic_v<T> || std::is_same_v<T, Words>)) struct Writer<T> {
  alignas(64) u32 low[kChunk];
  alignas(64) u32 high[kChunk];
  WARPWRIGHT_SEMANTIC void put(u32 lane, T value) {
    if constexpr (std::is_same_v<T, Words>) {
      low[lane] = value.low;
      high[lane] = value.high;
    } else {
      const u64 bits = __builtin_bit_cast(u64, value);
      low[lane] = static_cast<u32>(bits);
      high[lane] = static_cast<u32>(bits >> 32);
    }
  }
  WARPWRIGHT_SEMANTIC void commit(const Window& window, u32 index) {
    u32* destination = window.state.registers + window.instruction.destinations[index].offset + window.first;
    writeLanes(destination, low, window.mask);
    writeLanes(destination + window.stride, high, window.mask);
  }
};

WARPWRIGHT_SEMANTIC void commitPredicate(const Window& window, u32 index, u32 values) {
  const LaneOperand& operand = window.instruction.destinations[index];
  if (!operand.present) return;
  LaneMask& predicate = window.state.predicates[operand.offset];
  const LaneMask executing = LaneMask(window.mask).raised(window.first);
  predicate = (predicate - executing) | (LaneMask(values).raised(window.first) & executing);
}
template <>
struct Writer<bool> {
  alignas(64) u32 lanes[kChunk];
  WARPWRIGHT_SEMANTIC void put(u32 lane, bool value) { lanes[lane] = value ? kAllLanes : 0; }
  WARPWRIGHT_SEMANTIC void commit(const Window& window, u32 index) { commitPredicate(window, index, gatherMask(lanes)); }
};
template <class First, class Second>
struct Writer<Pair<First, Second>> {
  Writer<First> first;
  Writer<Second> second;
  WARPWRIGHT_SEMANTIC void put(u32 lane, Pair<First, Second> value) {
    first.put(lane, value.first);
    second.put(lane, value.second);
  }
  WARPWRIGHT_SEMANTIC void commit(const Window& window, u32 index) {
    first.commit(window, index);
    if (window.instruction.destinations[index + 1].present) second.commit(window, index + 1);
  }
};
template <>
struct Writer<Bytes> {
  Writer<u32> bytes[4];
  WARPWRIGHT_SEMANTIC void put(u32 lane, Bytes value) {
    for (u32 i = 0; i < 4; ++i) bytes[i].put(lane, value.byte[i]);
  }
  WARPWRIGHT_SEMANTIC void commit(const Window& window, u32 index) {
    for (u32 i = 0; i < 4; ++i) bytes[i].commit(window, index + i);
  }
};

// Writes a destination's values at once, for windows in which all lanes execute.
template <class T>
struct DirectWriter : Writer<T> {
  explicit DirectWriter(const Window&) {}
  WARPWRIGHT_SEMANTIC void finish(const Window& window) { Writer<T>::commit(window, 0); }
};
template <class T>
requires(sizeof(T) <= 4 && !std::is_same_v<T, bool> && !kIsComposite<T>) struct DirectWriter<T> {
  u32* low;
  WARPWRIGHT_SEMANTIC explicit DirectWriter(const Window& window)
      : low(window.state.registers + window.instruction.destinations[0].offset + window.first) {}
  WARPWRIGHT_SEMANTIC void put(u32 lane, T value) const { low[lane] = toWord<T>(value); }
  WARPWRIGHT_SEMANTIC void finish(const Window&) const {}
};
template <class T>
requires(sizeof(T) == 8 && (std::is_arithmetic_v<T> || std::is_same_v<T, Words>)) struct DirectWriter<T> {
  u32* low;
  u32* high;
  WARPWRIGHT_SEMANTIC explicit DirectWriter(const Window& window)
      : low(window.state.registers + window.instruction.destinations[0].offset + window.first), high(low + window.stride) {}
  WARPWRIGHT_SEMANTIC void put(u32 lane, T value) const {
    if constexpr (std::is_same_v<T, Words>) {
      low[lane] = value.low;
      high[lane] = value.high;
    } else {
      const u64 bits = __builtin_bit_cast(u64, value);
      low[lane] = static_cast<u32>(bits);
      high[lane] = static_cast<u32>(bits >> 32);
    }
  }
  WARPWRIGHT_SEMANTIC void finish(const Window&) const {}
};

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
