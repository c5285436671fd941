// The clean-up passes on code written by hand.
#include <gtest/gtest.h>

#include "compiler/address_folding.hpp"
#include "compiler/constant_folding.hpp"
#include "compiler/copy_propagation.hpp"
#include "compiler/dead_code.hpp"
#include "isa/address_space.hpp"
#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

TEST(CopyPropagation, ReadsTheOriginal) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  b.emit(Opcode::s2r, DataType::u32, {x}, {});
  b.move(y, x);
  b.store(y);
  b.exit();
  EXPECT_TRUE(propagateCopies(b.function));
  EXPECT_EQ(b.function.code[2].sources[1], x);
}

TEST(CopyPropagation, StopsWhereTheOriginalIsWrittenAgain) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  b.emit(Opcode::s2r, DataType::u32, {x}, {});
  b.move(y, x);
  b.add(x, x, b.number(1));
  b.store(y);
  b.exit();
  EXPECT_FALSE(propagateCopies(b.function));
}

TEST(CopyPropagation, StopsWhereTheOriginalIsWrittenAfterTheCopy) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word(), p = b.predicate();
  const u32 head = b.label();
  b.bind(head);
  b.move(y, x);  // the value from the previous iteration
  b.emit(Opcode::s2r, DataType::u32, {x}, {});
  b.store(y);
  b.branchIf(p, head);
  b.exit();
  EXPECT_FALSE(propagateCopies(b.function));
}

TEST(CopyPropagation, StopsWhereTheCopyMayNotHaveHappened) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word(), p = b.predicate();
  const u32 over = b.label();
  b.emit(Opcode::s2r, DataType::u32, {x}, {});
  b.branchIf(p, over);
  b.move(y, x);
  b.bind(over);
  b.store(y);
  b.exit();
  EXPECT_FALSE(propagateCopies(b.function));
}

TEST(CopyPropagation, PutsParametersAndPairsTogetherAgain) {
  MachineBuilder b;
  const Operand pair = b.pair(), sum = b.pair(), other = b.pair();
  b.emit(Opcode::s2r, DataType::u64, {other}, {});
  b.move(pair, Operand::makeParam(8));
  b.move(Operand::makeRegister(pair.index + 1), Operand::makeParam(12));
  b.emit(Opcode::add, DataType::u64, {sum}, {other, pair});
  b.store(sum, DataType::u64);
  b.exit();
  EXPECT_TRUE(propagateCopies(b.function));
  EXPECT_EQ(b.function.code[3].sources[1], Operand::makeParam(8));
}

TEST(CopyPropagation, LeavesOneConstantOperandAnInstruction) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word(), z = b.word(), sum = b.word();
  b.emit(Opcode::s2r, DataType::u32, {z}, {});
  b.move(x, Operand::makeParam(0));
  b.move(y, Operand::makeParam(4));
  b.emit(Opcode::mad_lo, DataType::u32, {sum}, {x, y, z});
  b.store(sum);
  b.exit();
  EXPECT_TRUE(propagateCopies(b.function));
  EXPECT_EQ(b.function.code[3].sources[0], Operand::makeParam(0));
  EXPECT_EQ(b.function.code[3].sources[1], y);
}

TEST(CopyPropagation, StoredDataStaysInRegisters) {
  MachineBuilder b;
  const Operand x = b.word();
  b.move(x, b.number(3));
  b.store(x);
  b.exit();
  EXPECT_FALSE(propagateCopies(b.function));
}

TEST(AddressFolding, ConstantsBecomeDisplacements) {
  MachineBuilder b;
  const Operand base = b.pair(), moved = b.pair(), value = b.word();
  b.emit(Opcode::s2r, DataType::u64, {base}, {});
  b.emit(Opcode::add, DataType::s64, {moved}, {base, b.number(static_cast<u64>(-16))});
  MachineInstruction& load = b.emit(Opcode::ld, DataType::u32, {value}, {moved});
  load.offset = 20;
  b.store(value);
  b.exit();
  EXPECT_TRUE(foldAddresses(b.function));
  EXPECT_EQ(b.function.code[2].sources[0], base);
  EXPECT_EQ(b.function.code[2].offset, 4);
}

TEST(AddressFolding, ParametersBecomeUniformBases) {
  MachineBuilder b;
  const Operand index = b.pair(), sum = b.pair(), value = b.word();
  b.emit(Opcode::s2r, DataType::u64, {index}, {});
  b.emit(Opcode::add, DataType::s64, {sum}, {Operand::makeParam(8), index});
  b.emit(Opcode::ld, DataType::u32, {value}, {sum}).offset = 12;
  b.emit(Opcode::st, DataType::u32, {}, {sum, value});
  b.exit();
  EXPECT_TRUE(foldAddresses(b.function));
  EXPECT_EQ(b.function.code[2].sources[0], index);
  EXPECT_EQ(b.function.code[2].sources[1], Operand::makeParam(8));
  EXPECT_EQ(b.function.code[2].offset, 12);
  EXPECT_EQ(b.function.code[3].sources[0], index);
  EXPECT_EQ(b.function.code[3].sources[2], Operand::makeParam(8));
}

TEST(AddressFolding, ChangingIndicesFoldUpToTheirNextValue) {
  MachineBuilder b;
  const Operand index = b.pair(), sum = b.pair(), value = b.word();
  b.emit(Opcode::s2r, DataType::u64, {index}, {});
  b.bind(b.label());
  b.emit(Opcode::add, DataType::s64, {sum}, {index, Operand::makeParam(8)});
  b.emit(Opcode::ld, DataType::u32, {value}, {sum});
  b.emit(Opcode::add, DataType::s64, {index}, {index, b.number(4)});
  b.emit(Opcode::st, DataType::u32, {}, {sum, value});
  b.branch(0);
  EXPECT_TRUE(foldAddresses(b.function));
  EXPECT_EQ(b.function.code[2].sources[0], index);
  EXPECT_EQ(b.function.code[4].sources[0], sum);
}

TEST(AddressFolding, OneWordAddressesWrap) {
  MachineBuilder b;
  const Operand base = b.word(), sum = b.word(), value = b.word();
  b.emit(Opcode::s2r, DataType::u32, {base}, {});
  b.add(sum, base, b.number(static_cast<u32>(-64)));
  MachineInstruction& load = b.emit(Opcode::ld, DataType::u32, {value}, {sum});
  load.offset = 68;
  load.modifiers.wordAddress = true;
  b.store(value);
  b.exit();
  EXPECT_TRUE(foldAddresses(b.function));
  EXPECT_EQ(b.function.code[2].sources[0], base);
  EXPECT_EQ(b.function.code[2].offset, 4);
}

TEST(AddressFolding, AKnownGenericAddressNamesItsSpace) {
  MachineBuilder b;
  const Operand value = b.word();
  b.emit(Opcode::ld, DataType::u32, {value}, {}).offset = static_cast<s64>(isa::kSharedWindow + 12);
  b.store(value);
  b.exit();
  EXPECT_TRUE(foldAddresses(b.function));
  EXPECT_EQ(b.function.code[0].modifiers.space, isa::Space::shared);
  EXPECT_EQ(b.function.code[0].offset, 12);
}

TEST(AddressFolding, StepsThatFollowOneAnotherJoin) {
  MachineBuilder b;
  const Operand i = b.word(), next = b.word();
  b.emit(Opcode::s2r, DataType::u32, {i}, {});
  b.add(next, i, b.number(4));
  b.add(i, next, b.number(0xffffffff));
  b.store(i);
  b.exit();
  EXPECT_TRUE(foldAddresses(b.function));
  EXPECT_EQ(b.function.code[2].sources[0], i);
  EXPECT_EQ(b.function.code[2].sources[1], b.number(3));
}

TEST(AddressFolding, StepsStayApartWhereTheFirstIsReadOrNarrower) {
  for (const bool narrow : {false, true}) {
    MachineBuilder b;
    const Operand i = b.word(), next = b.word(), end = b.word();
    b.emit(Opcode::s2r, DataType::u32, {i}, {});
    b.emit(Opcode::add, narrow ? DataType::u16 : DataType::u32, {next}, {i, b.number(4)});
    b.add(end, next, b.number(1));
    b.store(narrow ? end : next);
    b.exit();
    foldAddresses(b.function);
    EXPECT_EQ(b.function.code[2].sources[0], next);
  }
}

TEST(CopyPropagation, APointerThatIsAParameterNeedsNoRegister) {
  MachineBuilder b;
  const Operand pointer = b.pair(), value = b.word();
  b.emit(Opcode::mov, DataType::u64, {pointer}, {Operand::makeParam(8)});
  b.emit(Opcode::ld, DataType::u32, {value}, {pointer}).offset = 12;
  b.store(value);
  b.exit();
  EXPECT_TRUE(propagateCopies(b.function));
  EXPECT_EQ(b.function.code[1].sources[0].kind, Operand::Kind::none);
  EXPECT_EQ(b.function.code[1].sources[1], Operand::makeParam(8));
  EXPECT_EQ(b.function.code[1].offset, 12);
}

TEST(ConstantFolding, ComputesInTheWidthOfTheType) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.pair();
  b.add(x, b.number(0xffffffff), b.number(2));
  b.emit(Opcode::add, DataType::u64, {y}, {b.number(0xffffffff), b.number(2)});
  EXPECT_TRUE(foldConstants(b.function));
  EXPECT_EQ(b.function.code[0].opcode, Opcode::mov);
  EXPECT_EQ(b.function.code[0].sources[0], b.number(1));
  EXPECT_EQ(b.function.code[1].sources[0], b.number(0x100000001));
}

TEST(ConstantFolding, ShiftsBeyondTheWidthGiveZero) {
  MachineBuilder b;
  const Operand x = b.word();
  b.emit(Opcode::shl, DataType::u32, {x}, {b.number(1), b.number(32)});
  EXPECT_TRUE(foldConstants(b.function));
  EXPECT_EQ(b.function.code[0].sources[0], b.number(0));
}

TEST(DeadCode, ChainsNobodyReadsGoAway) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  b.move(x, b.number(1));
  b.add(y, x, x);
  b.exit();
  removeDeadCode(b.function);
  EXPECT_EQ(b.function.code.size(), 1u);
}

TEST(DeadCode, VolatileLoadsStay) {
  MachineBuilder b;
  const Operand x = b.word();
  b.emit(Opcode::ld, DataType::u32, {x}, {}).modifiers.ordering = isa::Ordering::volatile_;
  b.exit();
  removeDeadCode(b.function);
  EXPECT_EQ(b.function.code.size(), 2u);
}

TEST(DeadCode, ABranchOverABranchTurnsRound) {
  MachineBuilder b;
  const Operand p = b.predicate();
  const u32 next = b.label(), away = b.label();
  b.branchIf(p, next);
  b.branch(away);
  b.bind(next);
  b.store(b.word());
  b.bind(away);
  b.exit();
  removeEmptyBranches(b.function);
  ASSERT_EQ(b.function.code.size(), 3u);
  EXPECT_TRUE(b.function.code[0].guard.negated);
  EXPECT_EQ(b.function.labels[b.function.code[0].target], 2u);
}

TEST(DeadCode, AnAtomicWithoutReaderIsAReduction) {
  MachineBuilder b;
  const Operand x = b.word(), one = b.word();
  b.move(one, b.number(1));
  b.emit(Opcode::atom, DataType::u32, {x}, {Operand{}, one}).modifiers.atomic = isa::AtomicOp::add;
  b.exit();
  removeDeadCode(b.function);
  ASSERT_EQ(b.function.code.size(), 3u);
  EXPECT_EQ(b.function.code[1].destinations[0].kind, Operand::Kind::none);
}

}  // namespace
}  // namespace warpwright::compiler
