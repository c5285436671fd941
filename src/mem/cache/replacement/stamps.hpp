// The time of an event for each line of a cache, as a count of such events.
#pragma once

#include <bit>
#include <vector>

#include "mem/cache/replacement/replacement.hpp"

namespace warpwright::mem {

class Stamps {
 public:
  Stamps(u32 sets, u32 ways) : ways_(ways), stamps_(u64{sets} * ways) {}

  void mark(u32 set, u32 way) { stamps_[u64{set} * ways_ + way] = ++count_; }

  // The candidate whose event lies furthest back.
  u32 oldest(u32 set, WaySet candidates) const {
    const u64* const ofSet = &stamps_[u64{set} * ways_];
    u32 best = candidates.takeLeast();
    for (const u32 way : candidates) {
      if (ofSet[way] < ofSet[best]) best = way;
    }
    return best;
  }

 private:
  u32 ways_;
  u64 count_ = 0;
  std::vector<u64> stamps_;
};

}  // namespace warpwright::mem
