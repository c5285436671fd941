// Things that happen at most so many ticks from now.
#pragma once

#include <bit>
#include <vector>

#include "base/types.hpp"

namespace warpwright::mem {

template <class T>
class TimingWheel {
 public:
  static constexpr u64 kNever = ~u64{0};

  // Times of pending entries span at most `horizon` ticks. `capacity` entries may fall into one tick without an allocation.
  TimingWheel(u32 horizon, u32 capacity) : buckets_(std::bit_ceil(horizon + 1)) {
    for (auto& bucket : buckets_) bucket.reserve(capacity);
  }

  void schedule(u64 time, const T& entry) {
    bucket(time).push_back(entry);
    ++size_;
  }
  // Takes out the entries of the tick `now`, in the order in which they were scheduled; visit(entry) must schedule none for it. Every tick
  // that has entries must be asked for.
  template <class Visit>
  bool visit(u64 now, Visit&& visit) {
    auto& due = bucket(now);
    if (due.empty()) return false;
    for (const T& entry : due) visit(entry);
    size_ -= due.size();
    due.clear();
    return true;
  }
  // The first tick after `now` that has entries.
  u64 next(u64 now) const {
    if (size_ == 0) return kNever;
    for (u64 time = now + 1; time < now + buckets_.size(); ++time) {
      if (!buckets_[time & (buckets_.size() - 1)].empty()) return time;
    }
    return kNever;
  }

 private:
  std::vector<T>& bucket(u64 time) { return buckets_[time & (buckets_.size() - 1)]; }

  std::vector<std::vector<T>> buckets_;  // a power of two
  u64 size_ = 0;
};

}  // namespace warpwright::mem
