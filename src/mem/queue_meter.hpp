// How full a queue is, over time: what waits in it at the beginning of each tick, summed over the ticks. By Little's law that is also how
// long each waited, summed.
#pragma once

#include "base/types.hpp"

namespace warpwright::mem {

// Ticks that are left out change nothing.
class QueueMeter {
 public:
  void tickBegins(u64 now, u32 waiting) {
    sum_ += u64{left_} * (now - next_) + waiting;
    next_ = now + 1;
  }
  void tickEnds(u32 waiting) { left_ = waiting; }
  // Up to, not including, that tick.
  u64 total(u64 until) const { return until > next_ ? sum_ + u64{left_} * (until - next_) : sum_; }

 private:
  u64 sum_ = 0, next_ = 0;
  u32 left_ = 0;
};

}  // namespace warpwright::mem
