// The scalar types and state spaces of PTX (PTX ISA, "State Spaces, Types, and Variables").
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace warpwright::ptx {

enum class Type : u8 {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  f32x2,
  u16x2,
  s16x2,
  e4m3x2,
  e5m2x2,
  e2m3x2,
  e3m2x2,
  e2m1x2,
  ue8m0x2,
};

enum class Space : u8 { generic, reg, sreg, constant, global, local, param, shared };

// Size in bytes; 0 for none and pred.
u32 sizeOf(Type type);
bool isFloat(Type type);
bool isSigned(Type type);
std::string_view name(Type type);       // "u32"
std::string_view name(Space space);     // "global"; "" for generic
bool isUntyped(Type type);              // .b8 … .b128
Type typeNamed(std::string_view text);  // "u32" → Type::u32; Type::none for a name that is no type

// Whether a register declared as `reg` may stand where the instruction wants `instruction` (PTX ISA, "Type Checking"):
// sizes agree, and a float never meets an integer unless one of the two is untyped. `relaxed` is the rule of ld, st and cvt,
// whose integer and untyped operands may be wider than the instruction type.
bool registerFits(Type instruction, Type reg, bool relaxed);

}  // namespace warpwright::ptx
