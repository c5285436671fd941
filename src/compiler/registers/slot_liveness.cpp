#include "compiler/registers/slot_liveness.hpp"

#include <algorithm>

namespace warpwright::compiler {

SlotLiveness::SlotLiveness(const MachineFunction& function, const ControlFlow& flow, UnitClass unitClass)
    : function_(function),
      flow_(flow),
      readsSlot_(unitClass == UnitClass::words ? Role::reload : Role::restore),
      liveIn_(flow.blocks.size(), NumberSet(function.units())),
      liveOut_(flow.blocks.size(), NumberSet(function.units())) {
  std::vector<u32> order = flow.blocks.empty() ? std::vector<u32>{} : reversePostorder(flow.successors, 0);
  std::reverse(order.begin(), order.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : order) {
      for (const u32 successor : flow.successors[b]) liveOut_[b].unite(liveIn_[successor]);
      NumberSet live = liveOut_[b];
      for (u32 i = flow.blocks[b].end; i-- > flow.blocks[b].begin;) step(i, live);
      changed |= liveIn_[b].unite(live);
    }
  }
}

// A repeated computation gives the value that the slot holds already.
void SlotLiveness::step(u32 position, NumberSet& live) const {
  const MachineInstruction& instruction = function_.code[position];
  if (instruction.role == Role::rematerialised) return;
  const bool reads = instruction.role == readsSlot_;
  forEachDestinationUnit(function_, instruction, [&](u32 unit) { reads ? live.set(unit) : live.reset(unit); });
}

}  // namespace warpwright::compiler
