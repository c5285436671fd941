// Two logical instructions of 32 bits become one of three operands.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// A logical instruction whose operand another one makes for it alone becomes LOP3 of the operands of both, by the truth table of the two;
// what is left of the other is dead code. NVIDIA's GPUs have the instruction since compute capability 5.0, and ptxas joins so: the
// exclusive ors of the workload `aes` in pairs. Returns whether anything changed.
bool joinLogic(MachineFunction& function);

}  // namespace warpwright::compiler
