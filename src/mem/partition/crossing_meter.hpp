// What the link from the other half of the chip lets through to a memory partition: so many bytes a tick, in the order in which they are
// booked.
#pragma once

#include <algorithm>

#include "base/time.hpp"

namespace warpwright::mem {

class CrossingMeter {
 public:
  // 0: no limit.
  explicit CrossingMeter(u32 bytesPerTick) : rate_(bytesPerTick) {}

  bool isFree(L2Tick now) const { return taken_ <= now.ticks * rate_; }
  // Ticks from now until the last of so many bytes is there: none where they fit into what is left of the first.
  u64 book(u32 bytes, L2Tick now) {
    if (rate_ == 0) return 0;
    const u64 begin = now.ticks * rate_;
    taken_ = std::max(taken_, begin) + bytes;
    return (taken_ - begin - 1) / rate_;
  }

 private:
  u64 rate_;
  u64 taken_ = 0;  // bytes that could have passed since the simulation began, up to the last one booked
};

}  // namespace warpwright::mem
