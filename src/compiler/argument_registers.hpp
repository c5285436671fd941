// The calling convention: which registers hold arguments and results, and which a call preserves.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// As in the code that ptxas of CUDA 13 makes for sm_75: the first twelve words of the arguments are passed in R4 … R15, in the order of
// their layout in memory (layOutSignature), and so are the first twelve words of the results; what is left lies in the callee's frame. A
// function finds R16 … R31 as it left them when a call of its returns. Arguments of system calls lie in memory.
inline constexpr u32 kFirstArgumentRegister = 4, kArgumentWords = 12;
inline constexpr u32 kFirstPreservedRegister = 16, kPreservedRegisters = 16;

constexpr bool isPreservedByCalls(u32 reg) { return reg >= kFirstPreservedRegister && reg < kFirstPreservedRegister + kPreservedRegisters; }

// Selected code passes everything in memory. This moves the words that have registers into them: fixed groups (see isFixed) that calls,
// returns and a function's entry name, filled and emptied by copies beside these.
void passArgumentsInRegisters(MachineFunction& function);

// --- after allocation
// A device function keeps in its frame, while it runs, what it found in the preserved registers that it writes.
void keepPreservedRegisters(MachineFunction& function);
// Real calls and returns name no argument registers.
void dropArgumentOperands(MachineFunction& function);

}  // namespace warpwright::compiler
