#pragma once

#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

// The warp that issued last while it is ready, else the oldest (Rogers and others, "Cache-Conscious Wavefront Scheduling", 2012).
class GreedyThenOldest final : public WarpScheduler {
 public:
  SlotId pick(const SchedulerView& view) override { return view.ready.contains(last_) ? last_ : oldest(view.ready, view.age); }
  void issued(SlotId slot) override { last_ = slot; }

 private:
  SlotId last_;
};

class OldestFirst final : public WarpScheduler {
 public:
  SlotId pick(const SchedulerView& view) override { return oldest(view.ready, view.age); }
};

inline constexpr SchedulerEntry kGreedyThenOldest{
    {.name = "greedy_then_oldest",
     .text = "One warp until it stalls, then the oldest that is ready.",
     .source = "Rogers, O'Connor, Aamodt, \"Cache-Conscious Wavefront Scheduling\", MICRO 2012"},
    makePlain<GreedyThenOldest>};
inline constexpr SchedulerEntry kOldestFirst{
    {.name = "oldest_first", .text = "The oldest warp that is ready.", .source = "GPGPU-Sim (old)"}, makePlain<OldestFirst>};

}  // namespace warpwright::sm
