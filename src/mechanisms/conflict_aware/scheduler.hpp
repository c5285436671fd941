// Bank-conflict aware warp scheduling (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", section 5.5): another policy,
// from which memory instructions are hidden while an access that issued before is expected to occupy the banks.
#pragma once

#include <memory>

#include "base/ring_queue.hpp"
#include "mechanisms/conflict_aware/predictor.hpp"
#include "mechanisms/conflict_aware/statistics.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::mechanisms::conflict_aware {

class ConflictAware final : public sm::WarpScheduler {
 public:
  // statistics: of its SM; outlives this.
  ConflictAware(std::unique_ptr<sm::WarpScheduler> policy, const Settings& settings, const config::Machine& machine,
                Statistics& statistics);

  sm::WarpSet eligible(const sm::SchedulerView& view) const override { return policy_->eligible(view) & ~hidden(view); }
  SlotId pick(const sm::SchedulerView& view) override;
  void issued(SlotId slot) override { policy_->issued(slot); }
  void launchBegins() override;
  void accessIssued(const sm::MemoryOperation& access) override;
  void accessServed(SlotId slot, const sm::InstructionInfo& info, u32 cycles) override;
  void accessAnswered(const sm::MemoryOperation& access, Cycle now) override { policy_->accessAnswered(access, now); }
  bool followsCache() const override { return policy_->followsCache(); }
  void cacheAccessed(const mem::Request& access, bool isHit, Cycle now) override { policy_->cacheAccessed(access, isHit, now); }
  void lineEvicted(GlobalAddress address, const mem::Origin& whose, Cycle now) override { policy_->lineEvicted(address, whose, now); }
  sm::WarpSet heldBack() const override { return heldBack_; }
  Cycle nextUseful(Cycle now) const override;

 private:
  struct Foreseen {
    bool isForeseen = false, isKnown = false;
    u32 cycles = 0;
  };

  // The memory warp mask.
  sm::WarpSet hidden(const sm::SchedulerView& view) const { return (view.now < banksFree_ ? view.memory : sm::WarpSet{}) | conflicting_; }
  Foreseen foresee(const sm::MemoryOperation& access);
  u32 neededBy(const sm::MemoryOperation& access) const;

  const std::unique_ptr<sm::WarpScheduler> policy_;
  const Settings settings_;
  const u32 lanes_, ports_;
  const std::unique_ptr<ConflictPredictor> predictor_;
  Statistics& statistics_;
  Cycle banksFree_{};        // from then on memory instructions are at the safe distance
  sm::WarpSet conflicting_;  // oneAccessPerWarp: with an access in the pipeline that conflicts
  sm::WarpSet heldBack_;
  RingQueue<Foreseen> inPipeline_;  // memory instructions, in the order of issue, in which they are served
};

}  // namespace warpwright::mechanisms::conflict_aware
