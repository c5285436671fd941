// How full a queue is, over time: what waits in it at the beginning of each tick, summed over the ticks. By Little's law that is also how
// long each waited, summed.
#pragma once

#include "base/time.hpp"

namespace warpwright::mem {

// Ticks that are left out change nothing.
template <class Clock>
class QueueMeter {
 public:
  void tickBegins(Time<Clock> now, u32 waiting) {
    sum_ += u64{left_} * (now - next_) + waiting;
    next_ = now + 1;
  }
  void tickEnds(u32 waiting) { left_ = waiting; }
  // Up to, not including, that tick.
  u64 total(Time<Clock> until) const { return until > next_ ? sum_ + u64{left_} * (until - next_) : sum_; }

 private:
  u64 sum_ = 0;
  Time<Clock> next_{};
  u32 left_ = 0;
};

}  // namespace warpwright::mem
