// What becomes of an access before the caches of the lanes: the rules that keep them right without coherence (section 3.1 of the paper, and
// docs/tiny-cache.md for what the paper leaves open).
#pragma once

#include "mechanisms/tiny_cache/settings.hpp"
#include "sm/access/lane_access.hpp"

namespace warpwright::mechanisms::tiny_cache {

enum class Treatment : u8 {
  none,  // the caches have nothing to do with it
  cached,
  bypasses,  // goes to the level below, and the lane's line before it
  atomic,    // … and the line of all lanes
  orders,    // … and all lines of all lanes
};

// Not of texels, prefetches, constants, and private memory where it is not cached.
bool isOurs(const sm::LaneAccess& access, const Settings& settings);
// bypass: of its kernel.
Treatment treatmentOf(const sm::LaneAccess& access, Bypass bypass, const Settings& settings);

}  // namespace warpwright::mechanisms::tiny_cache
