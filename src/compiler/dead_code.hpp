// Removal of instructions whose results nobody reads, of branches to the next instruction, and of branches over branches.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// It does more than write registers that may not be read.
bool hasEffect(const MachineInstruction& instruction);

void removeDeadCode(MachineFunction& function);
void removeEmptyBranches(MachineFunction& function);

}  // namespace warpwright::compiler
