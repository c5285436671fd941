#include "compiler/analysis/affine.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

LanePattern patternOf(const MachineBuilder& b, const Operand& value) { return findLanePatterns(b.function)[value.index]; }

TEST(Affine, ThreadIndexTimesAConstantIsAffine) {
  MachineBuilder b;
  const Operand tid = b.special(isa::SpecialRegister::tid_x), block = b.special(isa::SpecialRegister::ctaid_x);
  const Operand scaled = b.word(), sum = b.word(), square = b.word(), masked = b.word();
  b.emit(Opcode::shl, DataType::u32, {scaled}, {tid, b.number(2)});
  b.emit(Opcode::mad_lo, DataType::u32, {sum}, {block, b.number(256), scaled});
  b.emit(Opcode::mul_lo, DataType::u32, {square}, {tid, tid});
  b.emit(Opcode::and_, DataType::u32, {masked}, {tid, b.number(15)});
  b.exit();
  EXPECT_EQ(patternOf(b, block), LanePattern::uniform);
  EXPECT_EQ(patternOf(b, tid), LanePattern::affine);
  EXPECT_EQ(patternOf(b, scaled), LanePattern::affine);
  EXPECT_EQ(patternOf(b, sum), LanePattern::affine);
  EXPECT_EQ(patternOf(b, square), LanePattern::generic);
  EXPECT_EQ(patternOf(b, masked), LanePattern::generic);
}

TEST(Affine, LoadsAreUniformWhereTheirAddressIs) {
  MachineBuilder b;
  const Operand address = b.pair(), shared = b.word(), own = b.word(), tid = b.special(isa::SpecialRegister::tid_x), gathered = b.word();
  b.emit(Opcode::mov, DataType::u64, {address}, {Operand::makeParam(0)});
  b.emit(Opcode::ld, DataType::u32, {shared}, {address}).modifiers.space = isa::Space::global;
  b.emit(Opcode::ld, DataType::u32, {own}, {address}).modifiers.space = isa::Space::local;
  const Operand lane = b.pair();
  b.emit(Opcode::mul_wide, DataType::u32, {lane}, {tid, b.number(4)});
  b.emit(Opcode::ld, DataType::u32, {gathered}, {lane}).modifiers.space = isa::Space::global;
  b.exit();
  EXPECT_EQ(patternOf(b, shared), LanePattern::uniform);
  EXPECT_EQ(patternOf(b, own), LanePattern::generic);
  EXPECT_EQ(patternOf(b, lane), LanePattern::affine);
  EXPECT_EQ(patternOf(b, gathered), LanePattern::generic);
}

// Where somebody beside the program may change a register, nothing is known of it behind.
TEST(Affine, WhatAPointDefinesIsGeneric) {
  MachineBuilder b;
  const Operand before = b.word(), after = b.word();
  b.move(before, b.number(3));
  b.emit(Opcode::point, DataType::u32, {after}, {before});
  b.store(after);
  b.exit();
  EXPECT_EQ(patternOf(b, before), LanePattern::uniform);
  EXPECT_EQ(patternOf(b, after), LanePattern::generic);
}

// if (condition) x = 1; else x = 2; use(x)
LanePattern patternBehindBranch(bool divides) {
  MachineBuilder b;
  const Operand tid = b.special(isa::SpecialRegister::tid_x), block = b.special(isa::SpecialRegister::ctaid_x);
  const Operand p = b.predicate(), x = b.word();
  const u32 other = b.label(), join = b.label();
  b.compare(p, divides ? tid : block, b.number(3));
  b.branchIf(p, other);
  b.move(x, b.number(1));
  b.branch(join);
  b.bind(other);
  b.move(x, b.number(2));
  b.bind(join);
  b.store(x);
  b.exit();
  return patternOf(b, x);
}

TEST(Affine, WhatTheSidesOfADividingBranchWriteIsGeneric) {
  EXPECT_EQ(patternBehindBranch(false), LanePattern::uniform);
  EXPECT_EQ(patternBehindBranch(true), LanePattern::generic);
}

// for (i = tid; i < n; i += step), the study's SAXPY: affine in the loop although lanes leave it at different times.
TEST(Affine, ALoopCounterIsAffineInItsLoop) {
  MachineBuilder b;
  const Operand i = b.word(), n = b.word(), p = b.predicate(), after = b.word();
  const u32 head = b.label();
  b.emit(Opcode::s2r, DataType::u32, {i}, {}).modifiers.special = isa::SpecialRegister::tid_x;
  b.move(n, Operand::makeParam(0));
  b.move(after, b.number(7));
  b.bind(head);
  b.store(i);
  b.add(i, i, b.number(64));
  b.add(after, after, n);
  b.compare(p, i, n);
  b.branchIf(p, head);
  b.store(after);
  b.exit();
  EXPECT_EQ(patternOf(b, i), LanePattern::affine);
  EXPECT_EQ(patternOf(b, n), LanePattern::uniform);
  EXPECT_EQ(patternOf(b, after), LanePattern::generic) << "lanes that went round more often have added more";
}

TEST(Affine, AGuardedWriteMixesTwoValues) {
  MachineBuilder b;
  const Operand tid = b.special(isa::SpecialRegister::tid_x), x = b.word(), p = b.predicate();
  b.move(x, b.number(1));
  b.compare(p, tid, b.number(3));
  b.move(x, b.number(2)).guard = p;
  b.store(x);
  b.exit();
  EXPECT_EQ(patternOf(b, x), LanePattern::generic);
}

}  // namespace
}  // namespace warpwright::compiler
