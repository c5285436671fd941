// Short branches → guards.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Guards the few instructions that a branch jumps over with the opposite of its guard, and drops the branch, so that they can be scheduled
// with what surrounds them: loads behind several such branches are then under way together.
void predicateBranches(MachineFunction& function);

}  // namespace warpwright::compiler
