#pragma once

#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

// A small active set issues round-robin; a warp that waits for memory leaves it for one that is ready (Narasiman and others, "Improving GPU
// Performance via Large Warps and Two-Level Warp Scheduling", 2011; Gebhart and others, 2011). So does one that waits at a barrier: those
// that it waits for may be outside.
class TwoLevel final : public WarpScheduler {
 public:
  explicit TwoLevel(u32 activeWarps) : most_(activeWarps) {}

  SlotId pick(const SchedulerView& view) override {
    active_ &= view.resident & ~view.waiting;
    WarpSet others = view.resident & ~view.waiting & ~active_;
    while (others && active_.size() < most_) {
      const WarpSet preferred = others & view.ready ? others & view.ready : others;
      const SlotId slot = preferred.nextFrom(promoted_);
      promoted_ = slot + 1;
      active_.insert(slot);
      others.erase(slot);
    }
    const WarpSet candidates = view.ready & active_;
    return candidates ? candidates.nextFrom(next_) : kNoWarp;
  }
  void issued(SlotId slot) override { next_ = slot + 1; }

 private:
  u32 most_;
  WarpSet active_;
  u32 next_ = 0, promoted_ = 0;
};

inline constexpr SchedulerEntry kTwoLevel{
    {.name = "two_level",
     .text = "Round-robin in a small active set (two_level_active), which a warp leaves while it waits for memory or at a barrier.",
     .source = "Narasiman and others, \"Improving GPU Performance via Large Warps and Two-Level Warp Scheduling\", MICRO 2011; Gebhart and "
               "others, ISCA 2011"},
    [](const std::any&, const SchedulerContext& context) -> std::unique_ptr<WarpScheduler> {
      return std::make_unique<TwoLevel>(context.machine.sm.twoLevelActive);
    }};

}  // namespace warpwright::sm
