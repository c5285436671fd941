// Operands as written: names resolved, not yet held against a grammar row.
#pragma once

#include "ptx/constant.hpp"
#include "ptx/context.hpp"

namespace warpwright::ptx {

// An operand and what checking it needs beyond the result. `token` is where it begins.
struct ParsedOperand {
  Operand operand;
  Token token;
  bool isUnresolved = false;         // a bare name that nothing declares so far: perhaps a label
  std::optional<Constant> constant;  // of Kind::integer and Kind::floating
  std::vector<ParsedOperand> elements;
  std::optional<Operand> second;  // "d|p"
};

// Parses one operand. Throws Error for malformed ones and for undeclared registers.
ParsedOperand parseOperand(Context& context);
// "(a, b)": the arguments or returns of a call.
ParsedOperand parseGroup(Context& context);
// Comma-separated operands up to the ";" (not consumed).
std::vector<ParsedOperand> parseOperands(Context& context);

}  // namespace warpwright::ptx
