// Virtual registers → machine registers, without spilling (see registers/budget.hpp for what happens when they do not fit).
#pragma once

#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Machine register or predicate per unit (see MachineFunction::units); kNone for units that occur nowhere.
struct Allocation {
  std::vector<u32> home;
  u32 registers = 0;   // highest register used plus 1, the stack pointer included where the function has one
  u32 predicates = 0;  // likewise
};

// Groups that a copy connects share registers wherever their live ranges allow (vector operands first, then the copies of the innermost
// loops); each group then takes the lowest aligned registers that are free over its range. Several orders are tried until one needs no
// more than `wantedRegisters`; the result is the one that needs fewest, which may be more than any machine has.
Allocation allocateRegisters(const MachineFunction& function, u32 wantedRegisters);

// The same with registers to spare: one is not taken again while an instruction that read or wrote it may still be under way, as far as
// `wantedRegisters` allow. On machines with a scoreboard a new value would have to wait for the old one's readers.
Allocation allocateFreely(const MachineFunction& function, u32 wantedRegisters);

// Replaces virtual by machine registers.
void applyAllocation(MachineFunction& function, const Allocation& allocation);
// Drops the copies that have become pointless.
void removeSelfCopies(MachineFunction& function);

}  // namespace warpwright::compiler
