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

// Adds that each wait for the one before.
inline isa::Program chainOfAdds(u32 length) {
  return twice([&](Assembler& code) {
    for (u32 i = 0; i < length; ++i) code.emit(isa::Opcode::add, isa::DataType::u32, {R(4)}, {R(4), R(5)});
  });
}

// Each lane loads the word `strideWords` behind that of the lane before it, and adds.
inline isa::Program sharedLoads(u32 strideWords) {
  isa::Program program = twice([&](Assembler& code) {
    code.special(2, isa::SpecialRegister::laneid);
    code.emit(isa::Opcode::mul_lo, isa::DataType::u32, {R(2)}, {R(2), imm(u64{strideWords} * 4)});
    code.load(isa::Space::shared, isa::DataType::u32, 4, R(2)).modifiers.wordAddress = true;
    code.emit(isa::Opcode::add, isa::DataType::u32, {R(5)}, {R(4), R(4)});
  });
  program.functions.front().sharedBytes = (31 * strideWords + 1) * 4;
  return program;
}

inline constexpr u32 kBegin = 1;  // the first instruction of the body

// The second execution of an instruction.
inline Step second(const TimedMachine& machine, u32 pc, u32 warp = 0) { return machine.timeline().at(pc, warp).at(1); }

}  // namespace warpwright::testing
