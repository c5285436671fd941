#include "compiler/common_subexpressions.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

class CommonSubexpressions : public ::testing::Test {
 protected:
  CommonSubexpressions() { b.emit(Opcode::s2r, DataType::u32, {x}, {}).modifiers.special = isa::SpecialRegister::tid_x; }

  Opcode opcodeAt(u32 position) const { return b.function.code[position].opcode; }

  MachineBuilder b;
  const Operand x = b.word(), y = b.word(), z = b.word(), p = b.predicate();
};

TEST_F(CommonSubexpressions, ARepetitionBecomesACopy) {
  b.add(y, x, b.number(4));
  b.add(z, x, b.number(4));
  b.exit();
  EXPECT_TRUE(shareCommonSubexpressions(b.function));
  EXPECT_EQ(opcodeAt(1), Opcode::add);
  EXPECT_EQ(opcodeAt(2), Opcode::mov);
  EXPECT_EQ(b.function.code[2].sources[0], y);
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, AChainIsFoundInOneGo) {
  const Operand first = b.word(), second = b.word();
  b.add(first, x, b.number(4));
  b.add(second, first, x);
  b.add(y, x, b.number(4));
  b.add(z, y, x);
  b.exit();
  EXPECT_TRUE(shareCommonSubexpressions(b.function));
  EXPECT_EQ(opcodeAt(3), Opcode::mov);
  EXPECT_EQ(opcodeAt(4), Opcode::mov);
  EXPECT_EQ(b.function.code[4].sources[0], second);
}

TEST_F(CommonSubexpressions, ACopyOfSomeLanesIsNoOriginal) {
  const Operand first = b.word(), second = b.word();
  b.add(first, x, b.number(4));
  b.add(second, first, x);
  b.add(y, x, b.number(4)).guard = p;
  b.add(z, y, x);
  b.exit();
  shareCommonSubexpressions(b.function);
  EXPECT_EQ(opcodeAt(4), Opcode::add);
  EXPECT_EQ(b.function.code[4].sources[0], y);
}

TEST_F(CommonSubexpressions, SpecialRegistersAreReadOnce) {
  b.emit(Opcode::s2r, DataType::u32, {y}, {}).modifiers.special = isa::SpecialRegister::tid_x;
  b.emit(Opcode::s2r, DataType::u32, {z}, {}).modifiers.special = isa::SpecialRegister::tid_y;
  b.exit();
  EXPECT_TRUE(shareCommonSubexpressions(b.function));
  EXPECT_EQ(opcodeAt(1), Opcode::mov);
  EXPECT_EQ(opcodeAt(2), Opcode::s2r);
}

TEST_F(CommonSubexpressions, ComparisonsAreSharedToo) {
  const Operand q = b.predicate();
  b.compare(p, x, b.number(4));
  b.compare(q, x, b.number(4));
  b.exit();
  EXPECT_TRUE(shareCommonSubexpressions(b.function));
  EXPECT_EQ(opcodeAt(2), Opcode::mov);
  EXPECT_EQ(b.function.code[2].type, DataType::pred);
}

TEST_F(CommonSubexpressions, OtherModifiersAreAnotherValue) {
  b.compare(p, x, b.number(4));
  b.compare(b.predicate(), x, b.number(4)).modifiers.compare = isa::Compare::ne;
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, TheClockIsNeverTheSame) {
  b.emit(Opcode::s2r, DataType::u32, {y}, {}).modifiers.special = isa::SpecialRegister::clock;
  b.emit(Opcode::s2r, DataType::u32, {z}, {}).modifiers.special = isa::SpecialRegister::clock;
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, MemoryMayHaveChanged) {
  for (const Operand& to : {y, z}) b.emit(Opcode::ld, DataType::u32, {to}, {x}).modifiers.space = isa::Space::shared;
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, ABlockHoldsAConstantOnce) {
  b.move(y, Operand::makeParam(4));
  b.add(x, x, y);
  b.move(z, Operand::makeParam(4));
  b.add(x, x, z);
  b.exit();
  EXPECT_TRUE(shareCommonSubexpressions(b.function));
  EXPECT_EQ(b.function.code[4].sources[1], y);
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, AConstantIsNotKeptFromBlockToBlock) {
  b.move(y, Operand::makeParam(4));
  b.add(x, x, y);
  const u32 next = b.label();
  b.bind(next);
  b.move(z, Operand::makeParam(4));
  b.add(x, x, z);
  b.branchIf(p, next);
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, AConstantThatIsReadBeforeItIsMovedIsTheOldValue) {
  const u32 head = b.label();
  b.bind(head);
  b.move(y, b.number(5));
  b.add(x, z, y);
  b.move(z, b.number(5));
  b.branchIf(p, head);
  b.exit();
  shareCommonSubexpressions(b.function);
  EXPECT_EQ(b.function.code[2].sources[0], z);
}

TEST_F(CommonSubexpressions, AnOperandThatIsWrittenAgainIsAnotherValue) {
  const Operand i = b.word();
  b.move(i, b.number(0));
  b.add(y, i, b.number(4));
  b.add(i, i, b.number(1));
  b.add(z, i, b.number(4));
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, WhatMayNotHaveBeenComputedIsComputed) {
  const u32 over = b.label();
  b.branchIf(p, over);
  b.add(y, x, b.number(4));
  b.bind(over);
  b.add(z, x, b.number(4));
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, AGuardedResultIsNotInAllLanes) {
  b.add(y, x, b.number(4)).guard = p;
  b.add(z, x, b.number(4));
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

TEST_F(CommonSubexpressions, AResultThatIsOverwrittenIsNotThereAnyMore) {
  b.add(y, x, b.number(4));
  b.move(y, b.number(7));
  b.add(z, x, b.number(4));
  b.exit();
  EXPECT_FALSE(shareCommonSubexpressions(b.function));
}

}  // namespace
}  // namespace warpwright::compiler
