#include "compiler/loops/counted_loop.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::Compare;
using isa::DataType;
using isa::Opcode;
using isa::Operand;

class CountedLoops : public ::testing::Test {
 protected:
  // i = 0; do { store(i); i += step; } while (i … bound);
  void fill(const Operand& bound, Compare compare = Compare::lt, u64 step = 1) {
    b.move(i, b.number(0));
    b.bind(top);
    b.store(i);
    b.emit(Opcode::add, DataType::s32, {i}, {i, b.number(step)});
    b.emit(Opcode::setp, DataType::s32, {p}, {i, bound}).modifiers.compare = compare;
    b.branchIf(p, top);
    b.exit();
  }
  std::optional<CountedLoop> only() const {
    const std::vector<CountedLoop> loops = findCountedLoops(b.function);
    return loops.size() == 1 ? std::optional(loops[0]) : std::nullopt;
  }

  MachineBuilder b;
  const Operand i = b.word(), n = b.word(), p = b.predicate();
  const u32 top = b.label();
};

TEST_F(CountedLoops, ConstantsAreCounted) {
  fill(b.number(10), Compare::lt, 3);
  ASSERT_TRUE(only());
  EXPECT_EQ(only()->iterations, 4u);
  EXPECT_EQ(only()->begin, 1u);
  EXPECT_EQ(only()->end, 5u);
  EXPECT_EQ(only()->step, 3);
  EXPECT_TRUE(only()->comparesNext);
}

TEST_F(CountedLoops, ARegisterThatTheLoopDoesNotWriteIsABound) {
  fill(n);
  ASSERT_TRUE(only());
  EXPECT_EQ(only()->bound, n);
  EXPECT_EQ(only()->iterations, std::nullopt);
}

TEST_F(CountedLoops, DownwardsStepsAreNegative) {
  fill(b.number(-4u), Compare::gt, -1u);
  ASSERT_TRUE(only());
  EXPECT_EQ(only()->step, -1);
  EXPECT_EQ(only()->iterations, 4u);
}

TEST_F(CountedLoops, ABranchThatAsksForTheEndTurnsTheComparison) {
  fill(b.number(10), Compare::ge);
  b.function.code[4].guard.negated = true;
  ASSERT_TRUE(only());
  EXPECT_EQ(only()->continuesWhile, Compare::lt);
  EXPECT_EQ(only()->iterations, 10u);
}

TEST_F(CountedLoops, WhatMovesAwayFromItsBoundIsNotCounted) {
  fill(b.number(10), Compare::lt, -1u);
  EXPECT_FALSE(only());
}

TEST_F(CountedLoops, ABoundThatTheLoopWritesIsNone) {
  fill(n);
  b.function.code[1] = b.function.code[2];
  b.function.code[1].destinations[0] = n;
  EXPECT_FALSE(only());
}

TEST_F(CountedLoops, AStepThatSomeLanesSkipIsNone) {
  fill(n);
  b.function.code[2].guard = b.predicate();
  EXPECT_FALSE(only());
}

TEST_F(CountedLoops, ASecondWayOutIsNotCounted) {
  const u32 out = b.label();
  b.bind(top);
  b.branchIf(b.predicate(), out);
  b.emit(Opcode::add, DataType::s32, {i}, {i, b.number(1)});
  b.emit(Opcode::setp, DataType::s32, {p}, {i, n}).modifiers.compare = Compare::lt;
  b.branchIf(p, top);
  b.bind(out);
  b.exit();
  EXPECT_FALSE(only());
}

// Only the inner loop is innermost, and its variable has no constant start: the outer loop goes on counting with it.
TEST_F(CountedLoops, AStartOutsideOfTheOuterLoopIsNoConstant) {
  const Operand outer = b.word(), q = b.predicate();
  const u32 again = b.label();
  b.move(i, b.number(0));
  b.bind(again);
  b.bind(top);
  b.store(i);
  b.emit(Opcode::add, DataType::s32, {i}, {i, b.number(1)});
  b.emit(Opcode::setp, DataType::s32, {p}, {i, b.number(10)}).modifiers.compare = Compare::lt;
  b.branchIf(p, top);
  b.emit(Opcode::add, DataType::s32, {outer}, {outer, b.number(1)});
  b.function.labels[again] = 1;
  b.compare(q, outer, n);
  b.emit(Opcode::mov, DataType::u32, {b.word()}, {b.number(0)});
  b.branchIf(q, again);
  b.exit();
  for (const CountedLoop& loop : findCountedLoops(b.function)) EXPECT_EQ(loop.iterations, std::nullopt);
}

}  // namespace
}  // namespace warpwright::compiler
