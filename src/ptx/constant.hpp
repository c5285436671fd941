// Constant expressions (PTX ISA, "Constant Expressions"): 64-bit integers with C's signedness rules, and f64.
#pragma once

#include <optional>

#include "ptx/cursor.hpp"
#include "ptx/types.hpp"

namespace warpwright::ptx {

struct Constant {
  enum class Kind : u8 { signed_, unsigned_, floating };
  Kind kind = Kind::signed_;
  bool isSingle = false;  // a lone 0f… literal: `bits` is an f32 pattern
  u64 bits = 0;           // two's complement, or an f64 pattern

  bool isFloat() const { return kind == Kind::floating; }
  double asDouble() const;  // floating only
};

// Whether the token can only begin a constant expression. "!" and "-" count, "!%p" does not.
bool startsConstant(const Cursor& cursor);

// Parses one. Throws Error for malformed expressions, numbers beyond 64 bits, division by zero and nesting deeper than 64.
Constant parseConstant(Cursor& cursor);

// An integer constant expression in [low, high]; `what` names it in messages: "an alignment".
u64 parseInteger(Cursor& cursor, std::string_view what, u64 low, u64 high);

// What is added to an address: an integer constant expression between -2^40 and 2^40 bytes.
s64 parseDisplacement(Cursor& cursor);

// The bits of the constant as a value of the type, cut to its size; floating constants become patterns of a float or untyped type.
// Empty when the constant has no value of that type (a float where an integer stands, an integer where a float stands).
std::optional<u64> bitsAs(const Constant& constant, Type type);

}  // namespace warpwright::ptx
