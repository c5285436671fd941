// Things that happen at most so many ticks from now.
#pragma once

#include <bit>
#include <vector>

#include "base/time.hpp"

namespace warpwright::mem {

// Clock: whose ticks the times are.
template <class T, class Clock>
class TimingWheel {
 public:
  using Tick = Time<Clock>;

  // Times of pending entries span at most `horizon` ticks. `capacity` entries may fall into one tick without an allocation.
  TimingWheel(u32 horizon, u32 capacity) : buckets_(std::bit_ceil(horizon + 1)) {
    for (auto& bucket : buckets_) bucket.reserve(capacity);
  }

  void schedule(Tick time, const T& entry) {
    bucket(time).push_back(entry);
    ++size_;
  }
  // Takes out the entries of the tick `now`, in the order in which they were scheduled; visit(entry) must schedule none for it. Every tick
  // that has entries must be asked for.
  template <class Visit>
  bool visit(Tick now, Visit&& visit) {
    auto& due = bucket(now);
    if (due.empty()) return false;
    for (const T& entry : due) visit(entry);
    size_ -= due.size();
    due.clear();
    return true;
  }
  // The first tick after `now` that has entries.
  Tick next(Tick now) const {
    if (size_ == 0) return kNeverOf<Clock>;
    for (Tick time = now + 1; time < now + buckets_.size(); ++time) {
      if (!buckets_[indexOf(time)].empty()) return time;
    }
    return kNeverOf<Clock>;
  }

 private:
  u64 indexOf(Tick time) const { return time.ticks & (buckets_.size() - 1); }
  std::vector<T>& bucket(Tick time) { return buckets_[indexOf(time)]; }

  std::vector<std::vector<T>> buckets_;  // a power of two
  u64 size_ = 0;
};

}  // namespace warpwright::mem
