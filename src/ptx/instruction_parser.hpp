// Instructions.
#pragma once

#include "ptx/context.hpp"

namespace warpwright::ptx {

// Parses "@p opcode operands;" and adds it to the function at hand.
void parseInstruction(Context& context);

// The operands of call, whose syntax is its own; the cursor is behind the opcode. Leaves the ";" and fills instruction.operands with
// returns, target, arguments and prototype (see instruction.hpp).
void parseCallOperands(Context& context, Instruction& instruction);

// Fails for a form that the grammar does not have: names the form, the nearest valid one and every kernel that contains it.
// `first` is where the instruction begins (its guard), `word` its dotted opcode.
[[noreturn]] void failUnsupported(const Context& context, const Token& first, const Token& word);

}  // namespace warpwright::ptx
