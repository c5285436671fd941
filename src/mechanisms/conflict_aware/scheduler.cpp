#include "mechanisms/conflict_aware/scheduler.hpp"

#include <algorithm>

#include "mechanisms/conflict_aware/hardware_cost.hpp"
#include "sm/memory_operation.hpp"

namespace warpwright::mechanisms::conflict_aware {
namespace {

using sm::kNoWarp;
using sm::WarpSet;

// Memory instructions between issue and the end of the first memory stage.
u32 mostInPipeline(const config::Machine& machine) { return machine.sm.stages + machine.warpsPerSm + machine.warpSize; }

}  // namespace

ConflictAware::ConflictAware(std::unique_ptr<sm::WarpScheduler> policy, const Settings& settings, const config::Machine& machine,
                             Statistics& statistics)
    : policy_(std::move(policy)),
      settings_(settings),
      lanes_(machine.sm.loadStore.width),
      ports_(machine.sm.sharedPorts),
      // An entry has log2(warp size) bits (table 5.3).
      predictor_(makePredictor(settings, machine.warpSize - 1)),
      statistics_(statistics),
      inPipeline_(mostInPipeline(machine)) {
  const HardwareCost cost = hardwareCost(settings, machine.warpSize, machine.warpsPerSm);
  statistics_.historyCacheBits.observe(cost.historyCacheBits);
  statistics_.maskGates.observe(cost.gates);
  statistics_.counterBits.observe(cost.counterBits);
}

void ConflictAware::launchBegins() {
  policy_->launchBegins();
  predictor_->clear();
  banksFree_ = {};
}

SlotId ConflictAware::pick(const sm::SchedulerView& view) {
  heldBack_.clear();
  const WarpSet hidden = this->hidden(view) & view.ready;
  if (hidden.empty()) return policy_->pick(view);
  sm::SchedulerView rest = view;
  rest.ready &= ~hidden;
  const SlotId slot = rest.ready ? policy_->pick(rest) : kNoWarp;
  if (slot != kNoWarp) return slot;
  heldBack_ = policy_->eligible(view) & hidden;
  const WarpSet violating = heldBack_ & ~conflicting_;
  if (!settings_.letViolateWhenIdle || violating.empty()) return kNoWarp;
  rest.ready = violating;
  heldBack_.clear();
  ++statistics_.violations;
  return policy_->pick(rest);
}

// Equation 5.7: as many cycles as the sub-warps' accesses take, from issue to issue. One that issued too early waits for those before it.
void ConflictAware::accessIssued(const sm::MemoryOperation& access) {
  policy_->accessIssued(access);
  const Foreseen foreseen = foresee(access);
  inPipeline_.push(foreseen);
  if (!foreseen.isForeseen) return;
  banksFree_ = std::max(banksFree_, access.issued) + (access.info->interval + foreseen.cycles);
  if (settings_.oneAccessPerWarp && foreseen.cycles != 0) conflicting_.insert(access.context.slot);
}

ConflictAware::Foreseen ConflictAware::foresee(const sm::MemoryOperation& access) {
  if (settings_.scope == Scope::shared && access.isExpanded() && access.sharedPasses == 0) return {};
  if (settings_.predictor == Predictor::oracle) return {true, true, neededBy(access)};
  const std::optional<u32> known = predictor_->predict(access.info->pc);
  return {true, known.has_value(), known.value_or(settings_.defaultCycles)};
}

u32 ConflictAware::neededBy(const sm::MemoryOperation& access) const {
  const auto passes = sm::passesBySubWarp(access, lanes_);
  u32 needed = 0;
  for (const u32 each : passes) needed += sm::cyclesOfPasses(each, ports_) - 1;
  return needed;
}

// The value is aligned: no conflict is 0 (section 5.5.2, footnote 10).
void ConflictAware::accessServed(SlotId slot, const sm::InstructionInfo& info, u32 cycles) {
  policy_->accessServed(slot, info, cycles);
  const Foreseen foreseen = inPipeline_.front();
  inPipeline_.pop();
  conflicting_.erase(slot);
  if (!foreseen.isForeseen) return;
  const u32 needed = cycles - std::min(cycles, info.interval);
  predictor_->learn(info.pc, needed);
  ++statistics_.accesses;
  statistics_.unknown += foreseen.isKnown ? 0 : 1;
  statistics_.cyclesNeeded += needed;
  statistics_.cyclesForeseen += foreseen.cycles;
  if (needed == foreseen.cycles) {
    ++statistics_.exact;
  } else if (needed > foreseen.cycles) {
    ++statistics_.tooFew;
    statistics_.cyclesUnforeseen += needed - foreseen.cycles;
  } else {
    ++statistics_.tooMany;
  }
}

Cycle ConflictAware::nextUseful(Cycle now) const {
  const Cycle next = policy_->nextUseful(now);
  return !heldBack_.empty() && banksFree_ >= now ? std::min(next, banksFree_) : next;
}

}  // namespace warpwright::mechanisms::conflict_aware
