// Whether the operands of a function with virtual registers are values of it.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// The first instruction with an operand that is no register or predicate of the function, or that reaches past the group of its register
// into that of another value; null where there is none. Whoever emits instructions may be wrong about how many words an operand has.
const MachineInstruction* findForeignOperand(const MachineFunction& function);

}  // namespace warpwright::compiler
