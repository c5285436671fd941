// How many lanes of an atomic operation meet at one address.
#pragma once

#include "base/types.hpp"

namespace warpwright::profile {

// The largest number of lanes in `mask` with the same address; 0 for an empty mask.
u32 mostLanesAtOneAddress(const u64* addresses, LaneMask mask);

}  // namespace warpwright::profile
