// A line as numbers.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "base/types.hpp"

namespace warpwright::compression {

// The number in `width` bytes (1 to 8) behind `index` others of that width.
inline u64 valueAt(std::span<const std::byte> bytes, u32 index, u32 width) {
  u64 value = 0;
  std::memcpy(&value, bytes.data() + std::size_t{index} * width, width);
  return value;
}

inline void setValueAt(std::span<std::byte> bytes, u32 index, u32 width, u64 value) {
  std::memcpy(bytes.data() + std::size_t{index} * width, &value, width);
}

// The number whose low `bits` are those of the value and whose others repeat the highest of these; bits: 1 to 64.
constexpr u64 signExtended(u64 value, u32 bits) { return static_cast<u64>(static_cast<s64>(value << (64 - bits)) >> (64 - bits)); }

// Whether a number of `width` bits is the sign extension of its low `bits`.
constexpr bool fits(u64 value, u32 width, u32 bits) {
  const u64 mask = width == 64 ? ~u64{0} : (u64{1} << width) - 1;
  return (signExtended(value, bits) & mask) == (value & mask);
}

}  // namespace warpwright::compression
