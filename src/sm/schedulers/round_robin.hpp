#pragma once

#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

// Loose round-robin: the next ready warp behind the one that issued last.
class LooseRoundRobin final : public WarpScheduler {
 public:
  SlotId pick(const SchedulerView& view) override { return view.ready.nextFrom(next_); }
  void issued(SlotId slot) override { next_ = slot + 1; }

 private:
  u32 next_ = 0;
};

inline constexpr SchedulerEntry kLooseRoundRobin{
    {.name = "loose_round_robin", .text = "The next ready warp behind the one that issued last.", .source = "GPGPU-Sim (lrr)"},
    makePlain<LooseRoundRobin>};

}  // namespace warpwright::sm
