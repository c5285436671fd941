#include "compiler/registers/budget.hpp"

#include "compiler/analysis/affine.hpp"
#include "compiler/register_allocation.hpp"
#include "compiler/registers/spill.hpp"
#include "compiler/registers/spill_slots.hpp"
#include "compiler/registers/split_ranges.hpp"
#include "compiler/schedule/schedule.hpp"

namespace warpwright::compiler {
namespace {

// Fewer values in registers than there are registers leave room for pairs that do not fit between other values.
std::optional<MachineFunction> boundPredicates(const MachineFunction& function, u32 limit) {
  if (allocateRegisters(function, isa::kMaxRegisters).predicates <= limit) return function;
  for (u32 target = limit + 1; target-- > 0;) {
    MachineFunction bounded = function;
    spill(bounded, {UnitClass::predicates, target, {}});
    placeStores(bounded, UnitClass::predicates);
    splitRanges(bounded);
    if (allocateRegisters(bounded, isa::kMaxRegisters).predicates <= limit) return bounded;
  }
  return std::nullopt;
}

// One order of the instructions, and the registers that it takes without spilling words.
struct Candidate {
  MachineFunction scheduled;  // numbered
  MachineFunction bounded;    // with its predicates within their limit
  Allocation allocation;
};

class BudgetAllocator {
 public:
  BudgetAllocator(const MachineFunction& function, const RegisterBudget& budget) : function_(function), budget_(budget) {}

  std::optional<AllocatedFunction> run() {
    if (std::optional<AllocatedFunction> result = runWithoutSpills()) return result;
    return best_ ? spillWords() : std::nullopt;
  }

  std::optional<AllocatedFunction> runWithoutSpills() {
    const u32 limit = budget_.limits.registers;
    target_ = std::min(budget_.comfortable, limit);
    consider(ordered(target_));
    if (!fits(target_)) considerFewer();
    if (!fits(limit)) return std::nullopt;
    return finish(best_->bounded, best_->allocation, 0);
  }

 private:
  bool fits(u32 registers) const { return best_ && best_->allocation.registers <= registers; }

  MachineFunction ordered(u32 registers) const {
    MachineFunction result = function_;
    schedule(result, registers, budget_.limits.predicates);
    return result;
  }

  // The target becomes one that can be met, and the order the one that hides most latency of those that meet it. Words that lie together
  // may leave gaps between them, so that the words that are live have to be fewer than the registers.
  void considerFewer() {
    consider(function_);
    consider(ordered(0));
    if (!best_) return;
    while (!fits(target_)) target_ += budget_.step;
    target_ = std::min(target_, budget_.limits.registers);
    if (!fits(target_)) return;
    for (u32 enough = 0, tooMany = target_ + 1; enough + 1 < tooMany;) {
      const u32 words = (enough + tooMany) / 2;
      std::optional<Candidate> candidate = allocated(ordered(words));
      const bool meets = candidate && candidate->allocation.registers <= target_;
      (meets ? enough : tooMany) = words;
      if (meets) best_ = std::move(candidate);
    }
  }

  std::optional<Candidate> allocated(MachineFunction scheduled) const {
    numberInstructions(scheduled);
    std::optional<MachineFunction> bounded = boundPredicates(scheduled, budget_.limits.predicates);
    if (!bounded) return std::nullopt;
    // Device functions would have to preserve more registers.
    Allocation allocation = function_.source().isKernel ? allocateFreely(*bounded, target_) : allocateRegisters(*bounded, target_);
    return Candidate{std::move(scheduled), std::move(*bounded), std::move(allocation)};
  }

  void consider(MachineFunction scheduled) {
    std::optional<Candidate> candidate = allocated(std::move(scheduled));
    if (candidate && (!best_ || candidate->allocation.registers < best_->allocation.registers)) best_ = std::move(candidate);
  }

  // Evicted first: see SpillRequest::rank.
  std::vector<u8> ranks() const {
    if (budget_.policy == SpillPolicy::standard) return {};
    std::vector<u8> result;
    for (const LanePattern pattern : findLanePatterns(best_->bounded)) result.push_back(pattern == LanePattern::generic);
    return result;
  }

  std::optional<AllocatedFunction> spillWords() const {
    const RegisterLimits& limits = budget_.limits;
    const std::vector<u8> rank = ranks();
    for (u32 target = limits.registers + 1; target-- > 0;) {
      MachineFunction spilled = best_->bounded;
      spill(spilled, {UnitClass::words, target, rank});
      placeStores(spilled, UnitClass::words);
      const u32 slots = assignSlots(spilled);
      splitRanges(spilled);
      const Allocation allocation = allocateRegisters(spilled, limits.registers);
      if (allocation.registers <= limits.registers && allocation.predicates <= limits.predicates) return finish(spilled, allocation, slots);
    }
    return std::nullopt;
  }

  AllocatedFunction finish(const MachineFunction& chosen, const Allocation& allocation, u32 slots) const {
    AllocatedFunction result{best_->scheduled, chosen, allocation.registers, allocation.predicates, slots};
    applyAllocation(result.code, allocation);
    return result;
  }

  const MachineFunction& function_;
  const RegisterBudget& budget_;
  u32 target_ = 0;  // registers that the code should do with
  std::optional<Candidate> best_;
};

}  // namespace

std::optional<AllocatedFunction> allocateWithin(const MachineFunction& function, const RegisterBudget& budget) {
  return BudgetAllocator(function, budget).run();
}

std::optional<AllocatedFunction> allocateWithin(const PreparedFunction& function, const RegisterBudget& budget) {
  for (const MachineFunction& form : function)
    if (&form != &function.back())
      if (std::optional<AllocatedFunction> allocated = BudgetAllocator(form, budget).runWithoutSpills()) return allocated;
  return allocateWithin(function.back(), budget);
}

}  // namespace warpwright::compiler
