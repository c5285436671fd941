// Callers keep what they need across calls in their own frame.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Stores units that are live across a call before it and loads them again behind it, and extends the frame by the save area. Across no call
// more than `keptWords` words are left to registers, which must then be some that calls preserve (argument_registers.hpp). System calls
// change no registers and need none of this.
void saveAcrossCalls(MachineFunction& function, u32 keptWords);

// Once the frame has its final size: gives it to the instructions that wait for it (MachineInstruction::addsFrame).
void resolveFrame(MachineFunction& function);

}  // namespace warpwright::compiler
