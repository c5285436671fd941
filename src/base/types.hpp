// Short names for the fixed-width types that the whole code base uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwright {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// One bit per lane of a warp, lane 0 in bit 0. Warps have 4 to 64 lanes.
using LaneMask = u64;

inline constexpr u32 kMaxWarpSize = 64;

// The mask with the lowest `lanes` bits set; lanes in 0..64.
constexpr LaneMask firstLanes(u32 lanes) { return lanes >= 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1; }

struct Dim3 {
  u32 x = 1, y = 1, z = 1;
  constexpr u64 count() const { return u64{x} * y * z; }
  constexpr bool operator==(const Dim3&) const = default;
};

}  // namespace warpwright
