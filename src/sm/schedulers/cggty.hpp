#pragma once

#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

// The warp that issued last while it is ready, else the youngest. What makes a warp give way is in the control bits of its code: stalls,
// yields and dependence counters (Huerta and others, "Dissecting and Modeling the Architecture of Modern GPU Cores", section 5.1.2).
class CompilerGuidedGreedyThenYoungest final : public WarpScheduler {
 public:
  SlotId pick(const SchedulerView& view) override {
    return last_ != kNoWarp && view.ready.contains(last_) ? last_ : youngest(view.ready, view.age);
  }
  void issued(SlotId slot) override { last_ = slot; }

 private:
  static SlotId youngest(WarpSet members, std::span<const u64> age) {
    SlotId best = members.takeLeast();
    for (const SlotId slot : members) {
      if (age[slot] > age[best]) best = slot;
    }
    return best;
  }

  SlotId last_ = kNoWarp;
};

inline constexpr SchedulerEntry kCggty{
    {.name = "cggty",
     .text =
         "One warp as long as it can issue, then the youngest that is ready: compiler-guided greedy then youngest, where the machine has "
         "control bits (`sm.pipeline.dependences`).",
     .source = "Huerta, Shoushtary, Cruz, González, \"Dissecting and Modeling the Architecture of Modern GPU Cores\", MICRO 2025, section "
               "5.1.2"},
    makePlain<CompilerGuidedGreedyThenYoungest>};

}  // namespace warpwright::sm
