// The usual memory access in one pass: all 32 lanes execute, their bytes lie in one known stretch of host memory, and nobody
// watches. Each half of the warp is moved at once when its lanes are neighbours or read the same word.
#pragma once

#include "base/types.hpp"
#include "exec/lane_function.hpp"
#include "isa/types.hpp"

namespace warpwright::exec {

inline constexpr LaneMask kWholeWarp = LaneMask::first(32);  // 32 lanes: what direct accesses serve

// The addresses that an access may touch, in its space, and where their bytes are in the host: at base + address.
struct Reach {
  u64 begin = 0, bytes = 0;
  u64 base = 0;
};

// Register planes of the address (high: null for 32-bit addresses, low: null for absolute ones) and what is added to it.
struct DirectAddress {
  const u32* low;
  const u32* high;
  u64 offset;
  bool wrap32;  // addresses have 32 bits: sums wrap
};

// False: not such an access (out of reach, misaligned, wrapping); nothing has been written.
using DirectFunction = bool (*)(const DirectAddress& address, const Reach& reach, u32* plane);

// For 1, 2 or 4 elements of the type; null where the host or the layout has no such function.
DirectFunction directLoad(isa::DataType type, u32 elements, u32 lanes, HostLevel level);
// For single elements.
DirectFunction directStore(isa::DataType type, u32 lanes, HostLevel level);

}  // namespace warpwright::exec
