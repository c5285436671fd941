// The size of a set of lanes.
#pragma once

#include <bit>

#include "base/types.hpp"

namespace warpwright {

// Most warps are whole and have 32 lanes. For the others a count of bits is a call, as no host instruction for it is taken for granted.
inline u64 countLanes(LaneMask lanes) { return lanes == LaneMask::first(32) ? 32 : u64{lanes.size()}; }

}  // namespace warpwright
