// The one-lane interpreter on small hand-made programs.
#include "exec/oracle.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "isa/launch_constants.hpp"

namespace warpwright::exec {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::Space;

class Bytes : public OracleMemory {
 public:
  void read(Space space, u64 address, std::span<u8> bytes) override {
    last = space;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = memory_[address + i];
  }
  void write(Space space, u64 address, std::span<const u8> bytes) override {
    last = space;
    for (std::size_t i = 0; i < bytes.size(); ++i) memory_[address + i] = bytes[i];
  }
  Space last = Space::generic;

 private:
  std::map<u64, u8> memory_;
};

Operand reg(u32 index) { return Operand::makeRegister(index); }
Operand imm(u64 value) { return Operand::makeImmediate(value); }

Instruction make(Opcode opcode, DataType type, std::vector<Operand> destinations, std::vector<Operand> sources) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  std::copy(destinations.begin(), destinations.end(), instruction.destinations.begin());
  std::copy(sources.begin(), sources.end(), instruction.sources.begin());
  return instruction;
}
Instruction jump(u32 target, Operand guard = Operand::makePredicate(isa::kTruePredicate)) {
  Instruction instruction = make(Opcode::bra, DataType::u32, {}, {});
  instruction.target = target;
  instruction.guard = guard;
  return instruction;
}
Instruction compare(isa::Compare how, u32 predicate, Operand a, Operand b) {
  Instruction instruction = make(Opcode::setp, DataType::u32, {Operand::makePredicate(predicate)}, {a, b});
  instruction.modifiers.compare = how;
  return instruction;
}
Instruction access(Opcode opcode, DataType type, Space space, Operand address, Operand data, s64 offset = 0, u8 vector = 1) {
  Instruction instruction = opcode == Opcode::ld ? make(opcode, type, {data}, {address}) : make(opcode, type, {}, {address, data});
  instruction.modifiers.space = space;
  instruction.offset = offset;
  instruction.vector = vector;
  return instruction;
}
Instruction leave(Opcode opcode = Opcode::exit) { return make(opcode, DataType::u32, {}, {}); }

isa::Program program(std::vector<Instruction> code) {
  isa::Program result;
  result.code = std::move(code);
  isa::Function function;
  function.end = Pc(static_cast<u32>(result.code.size()));
  result.functions.push_back(function);
  return result;
}

TEST(Oracle, RunsALoop) {
  // R1 = 1 + 2 + … + 10
  const isa::Program sum =
      program({make(Opcode::mov, DataType::u32, {reg(0)}, {imm(10)}), make(Opcode::mov, DataType::u32, {reg(1)}, {imm(0)}),
               make(Opcode::add, DataType::u32, {reg(1)}, {reg(1), reg(0)}), make(Opcode::sub, DataType::u32, {reg(0)}, {reg(0), imm(1)}),
               compare(isa::Compare::ne, 2, reg(0), imm(0)), jump(2, Operand::makePredicate(2)), leave()});
  Bytes memory;
  Oracle oracle(sum, memory);
  EXPECT_EQ(oracle.run(sum.functions[0]), OracleEnd::exited);
  EXPECT_EQ(oracle.word(1), 55u);
  EXPECT_EQ(oracle.executed(), 2u + 4 * 10 + 1);
}

TEST(Oracle, MovesVectorsThroughMemory) {
  Bytes memory;
  const isa::Program copy = program({access(Opcode::st, DataType::u64, Space::shared, {}, reg(4), 64, 2),
                                     access(Opcode::ld, DataType::s8, Space::shared, {}, reg(8), 65),
                                     access(Opcode::ld, DataType::u32, Space::generic, reg(2), reg(12), 4, 4), leave()});
  Oracle oracle(copy, memory);
  const u32 words[] = {0x0403'8201, 0x0807'0605, 0x0c0b'0a09, 0x100f'0e0d};
  for (u32 i = 0; i < 4; ++i) oracle.setWord(4 + i, words[i]);
  oracle.setWord(2, static_cast<u32>(0x0100'0000 + 60));  // generic address of shared 60
  oracle.run(copy.functions[0]);
  EXPECT_EQ(oracle.word(8), 0xffff'ff82u);
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(oracle.word(12 + i), words[i]);
  EXPECT_EQ(memory.last, Space::shared);
}

TEST(Oracle, ReadsParametersAndSpecialRegisters) {
  Instruction special = make(Opcode::s2r, DataType::u32, {reg(2)}, {});
  special.modifiers.special = isa::SpecialRegister::tid_x;
  const isa::Program code = program({make(Opcode::add, DataType::s16, {reg(0)}, {Operand::makeParam(2), imm(1)}), special, leave()});
  const u8 parameters[] = {0, 0, 0xfe, 0xff};
  OracleThread thread;
  thread.parameters = parameters;
  thread.special = [](isa::SpecialRegister which) { return which == isa::SpecialRegister::tid_x ? u64{5} : u64{0}; };
  Bytes memory;
  Oracle oracle(code, memory, thread);
  oracle.run(code.functions[0]);
  EXPECT_EQ(oracle.word(0), 0xffff'ffffu);  // -2 + 1, kept sign-extended
  EXPECT_EQ(oracle.word(2), 5u);
}

TEST(Oracle, ReadsTheModulesConstantMemory) {
  const isa::Program code =
      program({make(Opcode::mov, DataType::u64, {reg(0)}, {Operand::makeParam(isa::kModuleConstants + 16)}), leave()});
  Bytes memory;
  const u8 bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  memory.write(Space::constant, 16, bytes);
  Oracle oracle(code, memory);
  oracle.run(code.functions[0]);
  EXPECT_EQ(oracle.word(0), 0x0403'0201u);
  EXPECT_EQ(oracle.word(1), 0x0807'0605u);
  EXPECT_EQ(memory.last, Space::constant);
}

TEST(Oracle, CallsAndReturns) {
  Instruction call = make(Opcode::call, DataType::u32, {}, {});
  call.target = 1;
  isa::Program code = program({make(Opcode::mov, DataType::u32, {reg(0)}, {imm(1)}), call,
                               make(Opcode::calli, DataType::u32, {}, {imm(isa::kCodeWindow + 4 * isa::kInstructionBytes)}), leave(),
                               make(Opcode::shl, DataType::u32, {reg(0)}, {reg(0), imm(3)}), leave(Opcode::ret)});
  code.functions[0].end = Pc{4};
  isa::Function callee;
  callee.begin = Pc{4};
  callee.end = Pc{6};
  code.functions.push_back(callee);
  Bytes memory;
  Oracle oracle(code, memory);
  oracle.run(code.functions[0]);
  EXPECT_EQ(oracle.word(0), 64u);
}

TEST(Oracle, JumpsThroughTables) {
  isa::Program code = program({make(Opcode::brx, DataType::u32, {}, {reg(0)}), leave(Opcode::trap), leave()});
  code.code[0].target = 0;
  code.branchTables = {{Pc{1}, Pc{2}}};
  Bytes memory;
  Oracle oracle(code, memory);
  EXPECT_EQ(oracle.run(code.functions[0]), OracleEnd::trapped);
  oracle.setWord(0, 1);
  EXPECT_EQ(oracle.run(code.functions[0]), OracleEnd::exited);
  oracle.setWord(0, 2);
  EXPECT_THROW(oracle.run(code.functions[0]), Error);
}

TEST(Oracle, PerformsAtomics) {
  struct Row {
    isa::AtomicOp operation;
    DataType type;
    u64 old, b, c, expected;
  };
  const Row rows[] = {
      {isa::AtomicOp::add, DataType::u32, 0xffff'ffff, 2, 0, 1},
      {isa::AtomicOp::min, DataType::s32, 1, 0xffff'ffff, 0, 0xffff'ffff},
      {isa::AtomicOp::max, DataType::u32, 1, 0xffff'ffff, 0, 0xffff'ffff},
      {isa::AtomicOp::inc, DataType::u32, 7, 7, 0, 0},
      {isa::AtomicOp::inc, DataType::u32, 6, 7, 0, 7},
      {isa::AtomicOp::dec, DataType::u32, 0, 7, 0, 7},
      {isa::AtomicOp::dec, DataType::u32, 9, 7, 0, 7},
      {isa::AtomicOp::dec, DataType::u32, 3, 7, 0, 2},
      {isa::AtomicOp::cas, DataType::u64, 5, 5, 9, 9},
      {isa::AtomicOp::cas, DataType::u64, 5, 6, 9, 5},
      {isa::AtomicOp::exch, DataType::u64, 5, 6, 0, 6},
      {isa::AtomicOp::xor_, DataType::u32, 0b1100, 0b1010, 0, 0b0110},
      {isa::AtomicOp::add, DataType::f32, 0x3f80'0000, 0x3f80'0000, 0, 0x4000'0000},
  };
  for (const Row& row : rows) {
    Instruction atomic = make(Opcode::atom, row.type, {reg(2)}, {imm(0x1000'0000), imm(row.b), imm(row.c)});
    if (row.operation != isa::AtomicOp::cas) atomic.sources[2] = {};
    atomic.modifiers.atomic = row.operation;
    atomic.modifiers.space = Space::global;
    const isa::Program code = program({atomic, access(Opcode::ld, row.type, Space::global, imm(0x1000'0000), reg(4)), leave()});
    Bytes memory;
    u8 bytes[8];
    std::memcpy(bytes, &row.old, sizeof bytes);
    memory.write(Space::global, 0x1000'0000, bytes);
    Oracle oracle(code, memory);
    oracle.run(code.functions[0]);
    EXPECT_EQ(oracle.word(2), static_cast<u32>(row.old)) << static_cast<u32>(row.operation);
    EXPECT_EQ(oracle.word(4), static_cast<u32>(row.expected)) << static_cast<u32>(row.operation);
  }
}

TEST(Oracle, StopsEndlessPrograms) {
  const isa::Program code = program({jump(0)});
  Bytes memory;
  OracleThread thread;
  thread.maxInstructions = 100;
  Oracle oracle(code, memory, thread);
  EXPECT_THROW(oracle.run(code.functions[0]), Error);
}

}  // namespace
}  // namespace warpwright::exec
