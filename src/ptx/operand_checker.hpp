// Parsed operands against the operand patterns of a grammar row.
#pragma once

#include "ptx/matcher.hpp"
#include "ptx/operand_parser.hpp"

namespace warpwright::ptx {

// Why a row does not take the operands. The row that got furthest explains the failure best.
struct Mismatch {
  std::size_t progress = 0;  // larger: more of the operands were right
  Token token;
  std::string message;
};

// Fills the instruction's operands, literals converted to the types at hand, and returns nothing; or says what is wrong.
std::optional<Mismatch> checkOperands(const Context& context, const Match& match, const std::vector<ParsedOperand>& parsed,
                                      Instruction& instruction);

}  // namespace warpwright::ptx
