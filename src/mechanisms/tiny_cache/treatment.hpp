// What becomes of an access before the caches of the lanes: the rules that keep them right without coherence (section 3.1 of the paper, and
// docs/tiny-cache.md for what the paper leaves open).
#pragma once

#include "mechanisms/tiny_cache/settings.hpp"
#include "sm/access/lane_access.hpp"

namespace warpwright::mechanisms::tiny_cache {

enum class Treatment : u8 {
  none,      // not of a space that is cached: texels, prefetches, private memory, constants
  excluded,  // of a space that the policy takes past the caches: no line of it is ever there
  cached,
  bypasses,  // goes to the level below, and the lane's line before it
  atomic,    // … and the line of all lanes
  orders,    // … and all lines of all lanes
};

Treatment treatmentOf(const sm::LaneAccess& access, const Settings& settings);

}  // namespace warpwright::mechanisms::tiny_cache
