// PTX text → tokens. Comments and white space vanish; a dotted word such as ld.global.v2.f32 is one token.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::ptx {

struct Token {
  enum class Kind : u8 {
    end,
    word,       // identifier, register, opcode with its modifiers: foo, %r1, $L__BB0_1, ld.global.f32
    directive,  // .reg, .b32, .shared::cta
    integer,    // 12, 0x1fU, 017, 0b101
    floating,   // 0f3F800000, 0d…, 1.5e3
    string,     // "…", text holds what is between the quotes
    symbol,     // punctuation and operators, longest first: << >= && { ;
  };
  Kind kind = Kind::end;
  u32 line = 0, column = 0;  // from 1
  std::string_view text;     // view into the PTX text

  bool is(std::string_view expected) const { return kind != Kind::string && text == expected; }
};

// All tokens of the text, an end token last. Text after a NUL byte is ignored. Throws Error (in `sourceName`) for characters that
// PTX does not have, unfinished comments and strings, and malformed numbers.
std::vector<Token> tokenize(std::string_view text, const std::string& sourceName);

}  // namespace warpwright::ptx
