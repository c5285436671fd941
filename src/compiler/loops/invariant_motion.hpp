// Loop-invariant code motion.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// What a loop computes anew in every iteration, from values that do not change in it, is computed once, before the loop. Loops in one piece
// that are entered at their beginning take part, outer ones first. Moves of constants stay where they are: they cost an instruction, and a
// register for as long as the loop runs. So do comparisons: there are only seven predicates. Returns whether anything changed.
bool hoistInvariants(MachineFunction& function);

}  // namespace warpwright::compiler
