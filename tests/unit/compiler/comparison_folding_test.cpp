#include "compiler/comparison_folding.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::BoolOp;
using isa::DataType;
using isa::Opcode;
using isa::Operand;

// r = (x < 1) | (y < 2), and what reads r.
struct Combined {
  MachineBuilder b;
  Operand x = b.word(), y = b.word(), p = b.predicate(), q = b.predicate(), r = b.predicate();

  explicit Combined(Opcode combination = Opcode::or_) {
    b.move(x, b.number(5));
    b.move(y, b.number(6));
    b.compare(p, x, b.number(1));
    b.compare(q, y, b.number(2));
    b.emit(combination, DataType::pred, {r}, {p, q});
    b.store(x).guard = r;
    b.exit();
  }
  MachineInstruction& combination() { return b.function.code[4]; }
};

TEST(ComparisonFolding, TheLaterComparisonTakesUpTheOther) {
  for (const auto& [opcode, expected] :
       {std::pair{Opcode::or_, BoolOp::or_}, std::pair{Opcode::and_, BoolOp::and_}, std::pair{Opcode::xor_, BoolOp::xor_}}) {
    Combined c(opcode);
    EXPECT_TRUE(foldComparisons(c.b.function));
    EXPECT_EQ(c.combination().opcode, Opcode::setp);
    EXPECT_EQ(c.combination().type, DataType::u32);
    EXPECT_EQ(c.combination().modifiers.combine, expected);
    EXPECT_EQ(c.combination().destinations[0], c.r);
    EXPECT_EQ(c.combination().sources[0], c.y);
    EXPECT_EQ(c.combination().sources[1], c.b.number(2));
    EXPECT_EQ(c.combination().sources[2], c.p);
  }
}

TEST(ComparisonFolding, AResultWithOtherReadersStays) {
  Combined c;
  c.b.function.code[5].guard = c.q;
  EXPECT_TRUE(foldComparisons(c.b.function));
  EXPECT_EQ(c.combination().sources[0], c.x) << "the earlier one is free";
  EXPECT_EQ(c.combination().sources[2], c.q);
}

TEST(ComparisonFolding, NegatedResultsStay) {
  Combined c;
  c.combination().sources[0].negated = c.combination().sources[1].negated = true;
  EXPECT_FALSE(foldComparisons(c.b.function));
}

TEST(ComparisonFolding, OperandsThatChangeKeepTheComparisonWhereItIs) {
  Combined c;
  c.b.function.code[5] = c.b.function.code[4];
  c.b.function.code[4] = c.b.function.code[0];
  c.b.function.code[4].destinations[0] = c.y;
  EXPECT_TRUE(foldComparisons(c.b.function));
  EXPECT_EQ(c.b.function.code[5].sources[0], c.x) << "y is another by then";
}

TEST(ComparisonFolding, ComparisonsThatCombineAlreadyStay) {
  Combined c;
  for (const u32 i : {2u, 3u}) {
    c.b.function.code[i].modifiers.combine = BoolOp::and_;
    c.b.function.code[i].sources[2] = Operand::makePredicate(isa::kTruePredicate);
  }
  EXPECT_FALSE(foldComparisons(c.b.function));
}

}  // namespace
}  // namespace warpwright::compiler
