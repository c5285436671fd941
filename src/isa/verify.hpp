// Whether an instruction agrees with its row of the instruction table.
#pragma once

#include <string>

#include "isa/program.hpp"

namespace warpwright::isa {

// Empty when the instruction is well formed, else what is wrong with it. addressBits is 32 or 64. Registers may be virtual: only
// the kinds of operands, the types and the targets' presence are checked.
std::string verify(const Instruction& instruction, u32 addressBits);

// Also checks what only allocated code has: register numbers, alignment of pairs, predicates, targets inside the function.
std::string verifyAllocated(const Program& program, Pc pc);

}  // namespace warpwright::isa
