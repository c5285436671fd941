// The size of a set of lanes.
#pragma once

#include <bit>

#include "base/types.hpp"

namespace warpwright {

// Most warps are whole and have 32 lanes. For the others a count of bits is a call, as no host instruction for it is taken for granted.
inline u64 countLanes(LaneMask lanes) { return lanes == firstLanes(32) ? 32 : static_cast<u64>(std::popcount(lanes)); }

}  // namespace warpwright
