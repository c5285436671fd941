// Callers keep what they need across calls in their own frame.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Stores every unit that is live across a call before it and loads it again behind it, and extends the frame by the save area: a callee
// may use all registers but the stack pointer. System calls change no registers and need none of this.
void saveAcrossCalls(MachineFunction& function);

// Once the frame has its final size: gives it to the instructions that wait for it (MachineInstruction::addsFrame).
void resolveFrame(MachineFunction& function);

}  // namespace warpwright::compiler
