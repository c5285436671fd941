// What loops look like once they are unrolled; tests/property/counted_loops_test.cpp runs them.
#include "compiler/loops/unroll.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/control_flow.hpp"
#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::Compare;
using isa::DataType;
using isa::Opcode;
using isa::Operand;

class Unroll : public ::testing::Test {
 protected:
  void fill(const Operand& bound, u32 stores = 1) {
    b.move(i, b.number(0));
    b.bind(top);
    for (u32 s = 0; s < stores; ++s) b.store(i).ptxLine = 7;
    b.emit(Opcode::add, DataType::s32, {i}, {i, b.number(1)});
    b.emit(Opcode::setp, DataType::s32, {p}, {i, bound}).modifiers.compare = Compare::lt;
    b.branchIf(p, top).ptxLine = 8;
    b.exit();
  }
  u32 count(Opcode opcode) const {
    return static_cast<u32>(std::count_if(b.function.code.begin(), b.function.code.end(),
                                          [&](const MachineInstruction& instruction) { return instruction.opcode == opcode; }));
  }

  MachineBuilder b;
  const Operand i = b.word(), n = b.word(), p = b.predicate();
  const u32 top = b.label();
};

TEST_F(Unroll, AConstantNumberIsWrittenOut) {
  fill(b.number(6));
  EXPECT_TRUE(unrollLoops(b.function));
  EXPECT_EQ(count(Opcode::st), 6u);
  EXPECT_EQ(count(Opcode::bra), 0u);
}

TEST_F(Unroll, OfALongConstantLoopADivisorIsTaken) {
  fill(b.number(1000));
  EXPECT_TRUE(unrollLoops(b.function));
  EXPECT_EQ(count(Opcode::bra), 1u);
  EXPECT_GT(count(Opcode::st), 1u);
  EXPECT_EQ(1000 % count(Opcode::st), 0u);
  EXPECT_FALSE(unrollLoops(b.function)) << "once is enough";
}

TEST_F(Unroll, ARunTimeNumberLeavesTheLoopBehindAMainLoop) {
  fill(n);
  EXPECT_TRUE(unrollLoops(b.function));
  EXPECT_EQ(count(Opcode::st), 5u);
  EXPECT_EQ(count(Opcode::bra), 4u) << "into the rest, around the main loop, out of it, around the rest";
  EXPECT_FALSE(unrollLoops(b.function)) << "once is enough";
}

TEST_F(Unroll, WhatIsAddedStandsForTheBranch) {
  fill(n);
  unrollLoops(b.function);
  for (const MachineInstruction& instruction : b.function.code) {
    EXPECT_TRUE(instruction.opcode != Opcode::bra || instruction.ptxLine == 8);
    EXPECT_TRUE(instruction.opcode != Opcode::st || instruction.ptxLine == 7);
  }
}

TEST_F(Unroll, LargeBodiesStayLoops) {
  fill(n, 60);
  EXPECT_FALSE(unrollLoops(b.function));
}

TEST_F(Unroll, WhereLanesMeetTheyMustMeetInTheSameInstruction) {
  fill(n);
  b.function.code[1].opcode = Opcode::vote;
  EXPECT_FALSE(unrollLoops(b.function));
}

TEST_F(Unroll, PragmasKeepLoops) {
  fill(n);
  b.function.rolledLoops.push_back(top);
  EXPECT_FALSE(unrollLoops(b.function));
  b.function.rolledLoops.clear();
  b.function.keepsLoops = true;
  EXPECT_FALSE(unrollLoops(b.function));
}

TEST_F(Unroll, EveryCopyHasLabelsOfItsOwn) {
  const u32 skip = b.label();
  const Operand q = b.predicate();
  b.move(i, b.number(0));
  b.bind(top);
  b.branchIf(q, skip);
  b.store(i);
  b.bind(skip);
  b.emit(Opcode::add, DataType::s32, {i}, {i, b.number(1)});
  b.emit(Opcode::setp, DataType::s32, {p}, {i, b.number(3)}).modifiers.compare = Compare::lt;
  b.branchIf(p, top);
  b.exit();
  EXPECT_TRUE(unrollLoops(b.function));
  std::vector<u32> targets;
  for (u32 at = 0; at < b.function.code.size(); ++at) {
    if (b.function.code[at].opcode != Opcode::bra) continue;
    targets.push_back(b.function.labels[b.function.code[at].target]);
    EXPECT_EQ(targets.back(), at + 2);
  }
  EXPECT_EQ(targets.size(), 3u);
}

}  // namespace
}  // namespace warpwright::compiler
