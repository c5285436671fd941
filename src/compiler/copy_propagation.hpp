// Reads of copies become reads of what was copied.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Follows copies of registers, predicates, immediates, kernel parameters and symbol addresses, word by word.
// A copy is followed when source and destination are each written once, one dominates the other and the copy dominates the read (see
// Definitions::isStableFrom).
// Returns whether anything changed.
bool propagateCopies(MachineFunction& function);

}  // namespace warpwright::compiler
