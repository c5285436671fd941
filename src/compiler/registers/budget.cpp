#include "compiler/registers/budget.hpp"

#include "compiler/register_allocation.hpp"
#include "compiler/registers/spill.hpp"
#include "compiler/registers/spill_slots.hpp"
#include "compiler/registers/split_ranges.hpp"

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

AllocatedFunction finish(MachineFunction function, const Allocation& allocation, u32 slots) {
  applyAllocation(function, allocation);
  return {std::move(function), allocation.registers, allocation.predicates, slots};
}

}  // namespace

std::optional<AllocatedFunction> allocateWithin(const MachineFunction& function, const RegisterBudget& budget) {
  const RegisterLimits& limits = budget.limits;
  std::optional<MachineFunction> bounded = boundPredicates(function, limits.predicates);
  if (!bounded) return std::nullopt;
  const Allocation all = allocateRegisters(*bounded, limits.registers);
  if (all.registers <= limits.registers) return finish(std::move(*bounded), all, 0);
  for (u32 target = limits.registers + 1; target-- > 0;) {
    MachineFunction spilled = *bounded;
    spill(spilled, {UnitClass::words, target, {}});
    placeStores(spilled, UnitClass::words);
    const u32 slots = assignSlots(spilled);
    splitRanges(spilled);
    const Allocation allocation = allocateRegisters(spilled, limits.registers);
    if (allocation.registers <= limits.registers && allocation.predicates <= limits.predicates)
      return finish(std::move(spilled), allocation, slots);
  }
  return std::nullopt;
}

}  // namespace warpwright::compiler
