// Sets of warp slots of an SM.
#pragma once

#include "base/bit_set.hpp"

namespace warpwright::sm {

using WarpSet = BitSet<struct WarpSlot>;
inline constexpr u32 kMostWarps = WarpSet::kMost;
inline constexpr u32 kNoWarp = ~u32{0};

}  // namespace warpwright::sm
