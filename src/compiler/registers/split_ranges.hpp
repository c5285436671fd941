// Live-range splitting by renaming.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Gives every set of definitions and reads of a unit that no other set of the same unit is connected with a unit of its own, so that each
// finds its own register. Words that an operand names together stay together; the others are separated from their group. Predicates
// likewise. All unit numbers change.
void splitRanges(MachineFunction& function);

}  // namespace warpwright::compiler
