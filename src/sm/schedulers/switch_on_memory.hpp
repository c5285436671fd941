#pragma once

#include "sm/memory_operation.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

// One warp's turn lasts until it issues an access to memory, of whichever space; then the next ready warp has its own. While the warp
// waits for a result of its pipes, or for one of them, nobody takes its place. Where it cannot go on before memory or other warps have
// (a result of memory, a fence, a barrier), its turn ends, too.
class SwitchOnMemory final : public WarpScheduler {
 public:
  WarpSet eligible(const SchedulerView& view) const override {
    return hasTurn_ && (view.resident & ~view.waiting).contains(last_) ? view.ready & WarpSet::of(last_) : view.ready;
  }
  SlotId pick(const SchedulerView& view) override {
    const WarpSet candidates = eligible(view);
    return candidates ? candidates.nextFrom(next_) : kNoWarp;
  }
  void issued(SlotId slot) override {
    last_ = slot;
    next_ = slot + 1;
    hasTurn_ = true;
  }
  void accessIssued(const MemoryOperation& access) override { hasTurn_ &= access.context.slot != last_; }

 private:
  SlotId last_;
  u32 next_ = 0;
  bool hasTurn_ = false;  // the warp that issued last
};

inline constexpr SchedulerEntry kSwitchOnMemory{
    {.name = "switch_on_memory",
     .text =
         "Round-robin, but a warp goes on until it accesses memory, or has to wait for memory, a fence or a barrier; while it waits for "
         "results of its pipes nobody issues.",
     .source = "Sankaranarayanan and others, \"An Energy Efficient GPGPU Memory Hierarchy with Tiny Incoherent Caches\", section 4"},
    makePlain<SwitchOnMemory>};

}  // namespace warpwright::sm
