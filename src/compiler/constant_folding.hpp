// Integer arithmetic whose operands are all known becomes a move of the result.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Additions, subtractions, shifts and logic on 32- and 64-bit integers, and additions of 0. A sum of an address of a variable and a
// constant stays an address, with a larger addend. Returns whether anything changed.
bool foldConstants(MachineFunction& function);
// foldConstants removes the instruction once its operands are immediates.
bool isFoldable(const MachineInstruction& instruction);

}  // namespace warpwright::compiler
