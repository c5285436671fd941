// Table 2 of Huerta and others, "Dissecting and Modeling the Architecture of Modern GPU Cores": the column for writes after reads.
#include "isa/memory_front.hpp"

#include <gtest/gtest.h>

#include "isa/disassembler.hpp"

namespace warpwright::isa {
namespace {

Instruction frontAccess(Opcode opcode, Space space, DataType type, u8 vector) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.vector = vector;
  instruction.modifiers.space = space;
  return instruction;
}

struct FrontRow {
  Opcode opcode;
  Space space;
  bool byRegister;
  u32 reads[3];  // of 32, 64 and 128 bits
};

TEST(MemoryFront, IsTheTable) {
  const FrontRow rows[] = {
      {Opcode::ld, Space::global, false, {9, 9, 9}},         {Opcode::ld, Space::global, true, {11, 11, 11}},
      {Opcode::st, Space::global, false, {10, 12, 16}},      {Opcode::st, Space::global, true, {14, 16, 20}},
      {Opcode::ld, Space::shared, false, {9, 9, 9}},         {Opcode::ld, Space::shared, true, {9, 9, 9}},
      {Opcode::st, Space::shared, false, {10, 12, 16}},      {Opcode::st, Space::shared, true, {12, 14, 18}},
      {Opcode::cp_async, Space::shared, true, {13, 13, 13}},
  };
  for (const FrontRow& row : rows) {
    for (u32 i = 0; i < 3; ++i) {
      const Instruction wide = frontAccess(row.opcode, row.space, DataType::u32, static_cast<u8>(1u << i));
      EXPECT_EQ(memoryFront(wide, row.byRegister).reads, row.reads[i]) << disassemble(wide, 64);
    }
    EXPECT_EQ(memoryFront(frontAccess(row.opcode, row.space, DataType::u64, 1), row.byRegister).reads, row.reads[1]);
  }
  EXPECT_EQ(memoryFront(frontAccess(Opcode::ld, Space::constant, DataType::u32, 1), false).reads, 10u);
  EXPECT_EQ(memoryFront(frontAccess(Opcode::ld, Space::constant, DataType::u32, 1), true).reads, 29u);
}

// The shared part takes what has left: a store with its data.
TEST(MemoryFront, OperandsAreReadWhenTheInstructionLeavesOrBehind) {
  for (const Opcode opcode : {Opcode::ld, Opcode::st, Opcode::atom}) {
    for (const bool byRegister : {false, true}) {
      const MemoryFront front = memoryFront(frontAccess(opcode, Space::global, DataType::u32, 1), byRegister);
      EXPECT_LE(front.leaves, front.reads);
      EXPECT_EQ(front.carriesData, opcode != Opcode::ld);
    }
  }
}

}  // namespace
}  // namespace warpwright::isa
