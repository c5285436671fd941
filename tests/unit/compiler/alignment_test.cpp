#include "compiler/analysis/alignment.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

struct Alignment : ::testing::Test {
  Operand unknown() {
    const Operand result = b.word();
    b.emit(Opcode::s2r, DataType::u32, {result}, {}).modifiers.special = isa::SpecialRegister::tid_x;
    return result;
  }
  u32 zeroBits(const Operand& value) const { return findZeroBits(b.function)[value.index]; }

  MachineBuilder b;
};

TEST_F(Alignment, OfSumsAndProductsAndShifts) {
  const Operand any = unknown(), shifted = b.word(), scaled = b.word(), sum = b.word();
  b.emit(Opcode::shl, DataType::u32, {shifted}, {any, MachineBuilder::number(6)});
  b.emit(Opcode::mad_lo, DataType::u32, {scaled}, {any, MachineBuilder::number(24), shifted});
  b.add(sum, scaled, MachineBuilder::number(4));
  EXPECT_EQ(zeroBits(any), 0u);
  EXPECT_EQ(zeroBits(shifted), 6u);
  EXPECT_EQ(zeroBits(scaled), 3u);
  EXPECT_EQ(zeroBits(sum), 2u);
}

TEST_F(Alignment, AMaskClearsBits) {
  const Operand masked = b.word();
  b.emit(Opcode::and_, DataType::u32, {masked}, {unknown(), MachineBuilder::number(0xfffffff0)});
  EXPECT_EQ(zeroBits(masked), 4u);
}

TEST_F(Alignment, OfALoopsVariableIsThatOfItsStep) {
  const Operand i = b.word(), p = b.predicate();
  b.move(i, MachineBuilder::number(0));
  const u32 loop = b.label();
  b.bind(loop);
  b.add(i, i, MachineBuilder::number(16));
  b.compare(p, i, unknown());
  b.branchIf(p, loop);
  b.exit();
  EXPECT_EQ(zeroBits(i), 4u);
}

TEST_F(Alignment, EveryDefinitionCounts) {
  const Operand value = b.word(), p = b.predicate();
  b.compare(p, unknown(), MachineBuilder::number(3));
  b.move(value, MachineBuilder::number(64));
  b.move(value, MachineBuilder::number(8)).guard = p;
  EXPECT_EQ(zeroBits(value), 3u);
}

TEST_F(Alignment, HighWordsAndLoadsAreUnknown) {
  const Operand wide = b.pair(), loaded = b.word();
  b.emit(Opcode::mul_wide, DataType::u32, {wide}, {unknown(), MachineBuilder::number(16)});
  b.emit(Opcode::ld, DataType::u32, {loaded}, {Operand{}});
  EXPECT_EQ(zeroBits(wide), 4u);
  EXPECT_EQ(zeroBits(Operand::makeRegister(wide.index + 1)), 0u);
  EXPECT_EQ(zeroBits(loaded), 0u);
}

TEST_F(Alignment, TheStackPointerHasThatOfFrames) { EXPECT_EQ(zeroBits(Operand::makeRegister(kStackWord)), 4u); }

}  // namespace
}  // namespace warpwright::compiler
