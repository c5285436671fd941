// Sets of warp slots of an SM, one bit a slot.
#pragma once

#include "base/types.hpp"

namespace warpwright::sm {

using WarpSet = u64;
inline constexpr u32 kMostWarps = 64;
inline constexpr u32 kNoWarp = ~u32{0};

}  // namespace warpwright::sm
