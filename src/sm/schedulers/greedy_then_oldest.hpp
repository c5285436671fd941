#pragma once

#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

// The warp that issued last while it is ready, else the oldest (Rogers and others, "Cache-Conscious Wavefront Scheduling", 2012).
class GreedyThenOldest final : public WarpScheduler {
 public:
  u32 pick(const SchedulerView& view) override { return view.ready >> last_ & 1 ? last_ : oldest(view.ready, view.age); }
  void issued(u32 slot) override { last_ = slot; }

 private:
  u32 last_ = 0;
};

class OldestFirst final : public WarpScheduler {
 public:
  u32 pick(const SchedulerView& view) override { return oldest(view.ready, view.age); }
};

}  // namespace warpwright::sm
