#pragma once

#include "sm/schedulers/round_robin.hpp"

namespace warpwright::sm {

// Strict barrel processing (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", section 5.7): warps issue round-robin, and
// no warp has two instructions in flight, so that there is nothing to interlock. The relaxed form is LooseRoundRobin.
class StrictBarrel final : public WarpScheduler {
 public:
  WarpSet eligible(const SchedulerView& view) const override { return view.ready & ~view.inFlight; }
  SlotId pick(const SchedulerView& view) override {
    const WarpSet candidates = eligible(view);
    return candidates ? candidates.nextFrom(next_) : kNoWarp;
  }
  void issued(SlotId slot) override { next_ = slot + 1; }

 private:
  u32 next_ = 0;
};

inline constexpr SchedulerEntry kStrictBarrel{
    {.name = "strict_barrel",
     .text = "Round-robin among the warps that have no instruction in flight.",
     .source = "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\", section 5.7"},
    makePlain<StrictBarrel>};
inline constexpr SchedulerEntry kRelaxedBarrel{
    {.name = "relaxed_barrel",
     .text = "Round-robin among the warps whose operands are there, as loose_round_robin.",
     .source = "Gou, \"Customizable Memory Schemes for Data Parallel Accelerators\", section 5.7"},
    makePlain<LooseRoundRobin>};

}  // namespace warpwright::sm
