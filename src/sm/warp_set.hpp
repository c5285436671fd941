// Sets of warp and block slots of an SM.
#pragma once

#include "base/types.hpp"

namespace warpwright::sm {

using WarpSet = BitSet<WarpSlot>;
using BlockSet = BitSet<BlockSlot>;
inline constexpr u32 kMostWarps = WarpSet::kMost;
inline constexpr SlotId kNoWarp{~u32{0}};

}  // namespace warpwright::sm
