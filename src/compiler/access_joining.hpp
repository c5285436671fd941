// Neighbouring accesses to memory become one.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Loads, or stores, of neighbouring words in a basic block become one access of 64 or 128 bits where the address is proved to be aligned
// for it (analysis/alignment.hpp), every byte of it is accessed by the code as it stands, and no other access that may touch the same
// memory lies between them. What ptxas of CUDA 13 does for sm_75: shared and local memory up to 128 bits, constant memory up to 64, global
// memory not at all, whatever its alignment. Values come and go by copies, which the clean-ups are to fold. Returns whether anything
// changed.
bool joinAccesses(MachineFunction& function);

}  // namespace warpwright::compiler
