// A comparison and what combines its result with another predicate → one instruction.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// p = a < b; r = p | q  →  r = (a < b) | q, where nothing else reads p. Returns whether anything changed; p is left to the removal of
// dead code.
bool foldComparisons(MachineFunction& function);

}  // namespace warpwright::compiler
