#include "compiler/predication.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

// A branch over so many additions, and what stands behind them. Something follows, so that the branch does not lead to the exit.
void fillWithBranchOver(MachineBuilder& b, const Operand& p, u32 additions) {
  const Operand x = b.word(), y = b.word();
  const u32 behind = b.label();
  b.move(x, b.number(1));
  b.move(y, b.number(2));
  b.compare(p, x, y);
  b.branchIf(p, behind);
  for (u32 i = 0; i < additions; ++i) b.add(x, x, y);
  b.bind(behind);
  b.store(x);
  b.exit();
}

u32 branchesIn(const MachineFunction& function) {
  u32 result = 0;
  for (const MachineInstruction& instruction : function.code) result += instruction.opcode == Opcode::bra;
  return result;
}

TEST(Predication, FewInstructionsAreGuardedWithTheOpposite) {
  for (const bool negated : {false, true}) {
    MachineBuilder b;
    Operand p = b.predicate();
    fillWithBranchOver(b, p, 2);
    b.function.code[3].guard.negated = negated;
    predicateBranches(b.function);
    ASSERT_EQ(b.function.code.size(), 7u);
    p.negated = !negated;
    EXPECT_EQ(b.function.code[3].guard, p);
    EXPECT_EQ(b.function.code[4].guard, p);
    EXPECT_TRUE(isAlwaysExecuted(b.function.code[5]));
  }
}

TEST(Predication, ManyAreJumpedOver) {
  for (const u32 additions : {8u, 9u}) {
    MachineBuilder b;
    fillWithBranchOver(b, b.predicate(), additions);
    predicateBranches(b.function);
    EXPECT_EQ(branchesIn(b.function), additions == 8 ? 0u : 1u);
  }
}

TEST(Predication, LoadsFromFarMakeMoreWorthIt) {
  for (const isa::Space space : {isa::Space::global, isa::Space::shared}) {
    MachineBuilder b;
    fillWithBranchOver(b, b.predicate(), 9);
    MachineInstruction& load = b.function.code[5];
    load.opcode = Opcode::ld;
    load.modifiers.space = space;
    load.sources = {};
    predicateBranches(b.function);
    EXPECT_EQ(branchesIn(b.function), space == isa::Space::global ? 0u : 1u);
  }
}

TEST(Predication, WhatHasAGuardOrWritesItKeepsTheBranch) {
  const auto remaining = [](auto&& change) {
    MachineBuilder b;
    const Operand p = b.predicate();
    fillWithBranchOver(b, p, 2);
    change(b, p);
    predicateBranches(b.function);
    return branchesIn(b.function);
  };
  EXPECT_EQ(remaining([](MachineBuilder&, const Operand&) {}), 0u);
  EXPECT_EQ(remaining([](MachineBuilder& b, const Operand& p) { b.function.code[4].guard = p; }), 1u);
  EXPECT_EQ(remaining([](MachineBuilder& b, const Operand& p) {
              b.function.code[4].opcode = Opcode::setp;
              b.function.code[4].destinations[0] = p;
            }),
            1u);
  EXPECT_EQ(remaining([](MachineBuilder& b, const Operand&) { b.function.code[4].opcode = Opcode::bar_sync; }), 1u)
      << "lanes would come to it that jumped over it";
  EXPECT_EQ(remaining([](MachineBuilder& b, const Operand&) {
              b.function.code[4].opcode = Opcode::ld;
              b.function.code[4].modifiers.ordering = isa::Ordering::volatile_;
            }),
            1u);
}

// Control comes to the second addition from elsewhere, whatever the branch's guard.
TEST(Predication, WhatIsReachedOtherwiseIsNotGuarded) {
  MachineBuilder b;
  const Operand p = b.predicate(), q = b.predicate();
  fillWithBranchOver(b, p, 2);
  const u32 inside = b.function.newLabel(5);
  b.branchIf(q, inside);
  b.exit();
  predicateBranches(b.function);
  EXPECT_EQ(branchesIn(b.function), 2u);
}

// A product that nothing behind the branch reads would be kept for the next iteration, were it guarded.
TEST(Predication, InLoopsWhatNobodyReadsBehindTheBranchIsComputedAlways) {
  MachineBuilder b;
  const Operand p = b.predicate(), q = b.predicate(), x = b.word(), product = b.word();
  const u32 head = b.label(), behind = b.label();
  b.move(x, b.number(1));
  b.bind(head);
  b.compare(p, x, b.number(7));
  b.branchIf(p, behind);
  b.emit(Opcode::mul_lo, DataType::u32, {product}, {x, x});
  b.add(x, x, product);
  b.bind(behind);
  b.compare(q, x, b.number(9));
  b.branchIf(q, head);
  b.store(x);
  b.exit();
  predicateBranches(b.function);
  ASSERT_EQ(branchesIn(b.function), 1u);
  EXPECT_TRUE(isAlwaysExecuted(b.function.code[2]));
  EXPECT_FALSE(isAlwaysExecuted(b.function.code[3]));
}

TEST(Predication, ABranchToAKernelsEndIsAnExit) {
  MachineBuilder b;
  const Operand p = b.predicate(), x = b.word();
  const u32 end = b.label();
  b.move(x, b.number(1));
  b.compare(p, x, x);
  b.branchIf(p, end);
  b.store(x);
  b.bind(end);
  b.exit();
  predicateBranches(b.function);
  ASSERT_EQ(b.function.code.size(), 5u);
  EXPECT_EQ(b.function.code[2].opcode, Opcode::exit);
  EXPECT_EQ(b.function.code[2].guard, p);
  EXPECT_TRUE(isAlwaysExecuted(b.function.code[3]));
}

}  // namespace
}  // namespace warpwright::compiler
