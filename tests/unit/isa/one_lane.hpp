// Short forms for tests of the semantics.
#pragma once

#include "isa/evaluate.hpp"

namespace warpwright::test {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;

inline Instruction operation(Opcode opcode, DataType type, isa::Modifiers modifiers = {}, DataType sourceType = DataType::none) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.sourceType = sourceType;
  instruction.modifiers = modifiers;
  return instruction;
}

// The first destination.
inline u64 result(const Instruction& instruction, u64 a = 0, u64 b = 0, u64 c = 0, u64 d = 0) {
  return isa::evaluate(instruction, {a, b, c, d})[0];
}

inline u64 bits(float x) { return __builtin_bit_cast(u32, x); }
inline u64 bits(double x) { return __builtin_bit_cast(u64, x); }
inline float single(u64 x) { return __builtin_bit_cast(float, static_cast<u32>(x)); }
inline double twice(u64 x) { return __builtin_bit_cast(double, x); }

}  // namespace warpwright::test
