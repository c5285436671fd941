// Loops whose second round is looked at: all their code then lies in the instruction cache, and fetch limits nothing.
#pragma once

#include "timed_machine.hpp"

namespace warpwright::testing {

// The body runs two times; R0 counts the rounds.
template <class Body>
isa::Program twice(Body body) {
  Assembler code;
  code.program.addressBits = 64;
  code.emit(isa::Opcode::mov, isa::DataType::u32, {R(0)}, {imm(0)});
  const u32 begin = code.here();
  body(code);
  code.emit(isa::Opcode::add, isa::DataType::u32, {R(0)}, {R(0), imm(1)});
  code.compare(0, isa::Compare::lt, isa::DataType::u32, R(0), imm(2));
  code.branch(P(0), begin);
  code.exit();
  code.function("k").registers = 32;
  return code.program;
}

inline constexpr u32 kBegin = 1;  // the first instruction of the body

// The second execution of an instruction.
inline Step second(const TimedMachine& machine, u32 pc, u32 warp = 0) { return machine.timeline().at(pc, warp).at(1); }

}  // namespace warpwright::testing
