// Where the copy of a unit outside its register may still be reloaded.
#pragma once

#include "compiler/control_flow.hpp"
#include "compiler/number_set.hpp"
#include "compiler/registers/spill.hpp"

namespace warpwright::compiler {

// The slot of a word is live at a point when some path from there reloads the word before an instruction gives it a new value. Predicates:
// the word that holds it, and restores.
class SlotLiveness {
 public:
  SlotLiveness(const MachineFunction& function, const ControlFlow& flow, UnitClass unitClass);

  const NumberSet& liveIn(u32 block) const { return liveIn_[block]; }
  // Calls visit(position, slots live after it) for a block's instructions, last to first.
  template <class Visitor>
  void walkBackward(u32 block, Visitor&& visit) const {
    NumberSet live = liveOut_[block];
    for (u32 i = flow_.blocks[block].end; i-- > flow_.blocks[block].begin;) {
      visit(i, live);
      step(i, live);
    }
  }

 private:
  void step(u32 position, NumberSet& live) const;

  const MachineFunction& function_;
  const ControlFlow& flow_;
  Role readsSlot_;
  std::vector<NumberSet> liveIn_, liveOut_;
};

}  // namespace warpwright::compiler
