#include "compiler/registers/split_ranges.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

TEST(SplitRanges, UnconnectedDefinitionsGetUnitsOfTheirOwn) {
  MachineBuilder b;
  const Operand x = b.word();
  b.move(x, b.number(1));
  b.store(x);
  b.move(x, b.number(2));
  b.store(x);
  b.exit();
  splitRanges(b.function);
  const auto& code = b.function.code;
  EXPECT_NE(code[0].destinations[0].index, code[2].destinations[0].index);
  EXPECT_EQ(code[1].sources[1], code[0].destinations[0]);
  EXPECT_EQ(code[3].sources[1], code[2].destinations[0]);
}

TEST(SplitRanges, DefinitionsThatMeetStayTogether) {
  MachineBuilder b;
  const Operand x = b.word(), p = b.predicate();
  const u32 join = b.label();
  b.move(x, b.number(1));
  b.compare(p, x, b.number(1));
  b.branchIf(p, join);
  b.move(x, b.number(2));
  b.bind(join);
  b.store(x);
  b.exit();
  splitRanges(b.function);
  const auto& code = b.function.code;
  EXPECT_EQ(code[0].destinations[0], code[3].destinations[0]);
  EXPECT_EQ(code[4].sources[1], code[0].destinations[0]);
}

TEST(SplitRanges, AGuardedWriteKeepsTheUnit) {
  MachineBuilder b;
  const Operand x = b.word(), p = b.predicate();
  b.move(x, b.number(1));
  b.compare(p, x, b.number(1));
  b.move(x, b.number(2)).guard = p;
  b.store(x);
  b.exit();
  splitRanges(b.function);
  EXPECT_EQ(b.function.code[2].destinations[0], b.function.code[0].destinations[0]);
}

TEST(SplitRanges, WordsThatNothingReadsTogetherAreSeparated) {
  MachineBuilder b;
  const Operand quad = b.vector(4);
  for (u32 w = 0; w < 4; ++w) b.move(Operand::makeRegister(quad.index + w), b.number(w));
  b.store(quad, DataType::u64);
  for (u32 w = 2; w < 4; ++w) b.store(Operand::makeRegister(quad.index + w));
  b.exit();
  splitRanges(b.function);
  const auto groupOf = [&](u32 position) { return b.function.groupOf[b.function.code[position].destinations[0].index]; };
  EXPECT_EQ(groupOf(0), groupOf(1));
  EXPECT_EQ(b.function.groups[groupOf(0)].words, 2u);
  EXPECT_EQ(b.function.groups[groupOf(0)].alignment, 2u);
  EXPECT_NE(groupOf(2), groupOf(0));
  EXPECT_NE(groupOf(2), groupOf(3));
  EXPECT_EQ(b.function.groups[groupOf(3)].words, 1u);
}

TEST(SplitRanges, ThePointerToTheStackStaysUnitZero) {
  MachineBuilder b;
  const Operand stack = Operand::makeRegister(kStackWord);
  b.function.usesStack = true;
  b.emit(Opcode::add, DataType::u32, {stack}, {stack, b.number(16)});
  b.store(stack);
  b.exit();
  splitRanges(b.function);
  EXPECT_EQ(b.function.code[0].destinations[0].index, kStackWord);
  EXPECT_EQ(b.function.code[1].sources[1].index, kStackWord);
}

}  // namespace
}  // namespace warpwright::compiler
