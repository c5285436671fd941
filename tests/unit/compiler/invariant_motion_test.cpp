#include "compiler/loops/invariant_motion.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::Compare;
using isa::DataType;
using isa::Opcode;
using isa::Operand;

// i = 0; do { y = <body>; store(y); ++i; } while (i < n);
class InvariantMotion : public ::testing::Test {
 protected:
  template <class Body>
  void fill(Body&& body) {
    b.emit(Opcode::s2r, DataType::u32, {n}, {}).modifiers.special = isa::SpecialRegister::tid_x;
    b.move(i, b.number(0));
    b.bind(top);
    body();
    b.store(y);
    b.emit(Opcode::add, DataType::s32, {i}, {i, b.number(1)});
    b.emit(Opcode::setp, DataType::s32, {p}, {i, n}).modifiers.compare = Compare::lt;
    b.branchIf(p, top);
    b.exit();
  }
  const MachineInstruction& at(u32 position) const { return b.function.code[position]; }
  u32 headerOfLoop() const {
    for (const MachineInstruction& instruction : b.function.code)
      if (instruction.opcode == Opcode::bra) return b.function.labels[instruction.target];
    return kNone;
  }

  MachineBuilder b;
  const Operand i = b.word(), n = b.word(), y = b.word(), p = b.predicate();
  const u32 top = b.label();
};

TEST_F(InvariantMotion, WhatDoesNotChangeIsComputedOnceBeforeTheLoop) {
  fill([&] { b.emit(Opcode::mul_lo, DataType::u32, {y}, {n, n}); });
  EXPECT_TRUE(hoistInvariants(b.function));
  EXPECT_EQ(at(2).opcode, Opcode::mul_lo);
  EXPECT_EQ(headerOfLoop(), 3u);
  EXPECT_FALSE(hoistInvariants(b.function));
}

TEST_F(InvariantMotion, WhatIsComputedFromItGoesWithIt) {
  const Operand x = b.word();
  fill([&] {
    b.emit(Opcode::mul_lo, DataType::u32, {x}, {n, n});
    b.add(y, x, n);
  });
  EXPECT_TRUE(hoistInvariants(b.function));
  EXPECT_EQ(at(2).opcode, Opcode::mul_lo);
  EXPECT_EQ(at(3).opcode, Opcode::add);
  EXPECT_EQ(headerOfLoop(), 4u);
}

TEST_F(InvariantMotion, WhatReadsTheLoopsVariablesStays) {
  fill([&] { b.add(y, i, n); });
  EXPECT_FALSE(hoistInvariants(b.function));
}

TEST_F(InvariantMotion, ConstantsStay) {
  fill([&] { b.move(y, b.number(7)); });
  EXPECT_FALSE(hoistInvariants(b.function));
}

TEST_F(InvariantMotion, ComparisonsStay) {
  fill([&] { b.compare(b.predicate(), n, b.number(7)); });
  EXPECT_FALSE(hoistInvariants(b.function));
}

TEST_F(InvariantMotion, LoadsFromMemoryThatMayChangeStay) {
  fill([&] { b.emit(Opcode::ld, DataType::u32, {y}, {}).modifiers.space = isa::Space::global; });
  EXPECT_FALSE(hoistInvariants(b.function));
}

TEST_F(InvariantMotion, WhatSomeLanesSkipStays) {
  fill([&] { b.add(y, n, n).guard = b.predicate(); });
  EXPECT_FALSE(hoistInvariants(b.function));
}

TEST_F(InvariantMotion, WhatSomeIterationsSkipStays) {
  const u32 skip = b.label();
  fill([&] {
    b.branchIf(b.predicate(), skip);
    b.add(y, n, n);
    b.bind(skip);
  });
  EXPECT_FALSE(hoistInvariants(b.function));
}

TEST_F(InvariantMotion, AllThatEntersTheLoopComesByTheHoistedCode) {
  b.branchIf(b.predicate(), top);
  b.function.rolledLoops.push_back(top);
  fill([&] { b.add(y, n, n); });
  EXPECT_TRUE(hoistInvariants(b.function));
  EXPECT_EQ(b.function.labels[top], 3u) << "the branch into the loop";
  EXPECT_EQ(b.function.labels[b.function.rolledLoops[0]], 4u) << "the header";
  EXPECT_EQ(b.function.labels[b.function.code[7].target], 4u) << "the branch back";
}

}  // namespace
}  // namespace warpwright::compiler
