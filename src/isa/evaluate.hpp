// One lane of a lane operation, evaluated by the scalar semantics: slow, and independent of the vector lanes' loops.
#pragma once

#include <array>

#include "isa/instruction.hpp"

namespace warpwright::isa {

// Operand values by position: registers and pairs as their bits (narrow types may carry any bits above their width), predicates as 0 or 1.
// Absent operands are 0.
using OperandValues = std::array<u64, 4>;

// Whether the machine has the operation with this type and these modifiers; false for anything but Family::lane.
bool hasSemantics(const Instruction& instruction);

// The destinations' values. Narrow results are extended to 32 bits as registers hold them. Throws Error unless hasSemantics().
OperandValues evaluate(const Instruction& instruction, const OperandValues& sources);

}  // namespace warpwright::isa
