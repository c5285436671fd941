#include "compiler/narrowing.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

MachineInstruction& loadShared(MachineBuilder& b, Operand to, Operand address) {
  MachineInstruction& load = b.emit(Opcode::ld, DataType::u32, {to}, {address});
  load.modifiers.space = isa::Space::shared;
  return load;
}

TEST(Narrowing, SharedAddressesTakeOneWord) {
  MachineBuilder b;
  const Operand index = b.word(), scaled = b.pair(), address = b.pair(), value = b.word();
  b.emit(Opcode::s2r, DataType::u32, {index}, {});
  b.emit(Opcode::mul_wide, DataType::s32, {scaled}, {index, b.number(4)});
  b.emit(Opcode::add, DataType::s64, {address}, {scaled, b.number(static_cast<u64>(-16))});
  loadShared(b, value, address);
  b.store(value);
  b.exit();
  EXPECT_TRUE(narrowWords(b.function));
  EXPECT_TRUE(b.function.code[3].modifiers.wordAddress);
  EXPECT_EQ(b.function.code[1].opcode, Opcode::mul_lo);
  EXPECT_EQ(b.function.code[2].type, DataType::s32);
  EXPECT_EQ(b.function.code[2].sources[1], b.number(0xfffffff0u));
  EXPECT_FALSE(narrowWords(b.function)) << "nothing is left to narrow";
}

TEST(Narrowing, APointerThatALoopMovesIsNarrowToo) {
  MachineBuilder b;
  const Operand address = b.pair(), value = b.word(), p = b.predicate();
  const u32 head = b.label();
  b.emit(Opcode::mov, DataType::u64, {address}, {b.number(64)});
  b.bind(head);
  loadShared(b, value, address);
  b.emit(Opcode::add, DataType::u64, {address}, {address, b.number(4)});
  b.store(value);
  b.branchIf(p, head);
  b.exit();
  EXPECT_TRUE(narrowWords(b.function));
  EXPECT_EQ(b.function.code[0].type, DataType::u32);
  EXPECT_EQ(b.function.code[2].type, DataType::u32);
}

TEST(Narrowing, WhatIsStoredAsAWholeStays) {
  MachineBuilder b;
  const Operand address = b.pair(), value = b.word();
  b.emit(Opcode::add, DataType::u64, {address}, {Operand::makeParam(0), b.number(4)});
  loadShared(b, value, address);
  b.store(value);
  b.store(address, DataType::u64);
  b.exit();
  EXPECT_TRUE(narrowWords(b.function)) << "the load needs one word";
  EXPECT_EQ(b.function.code[0].type, DataType::u64) << "the store needs both";
}

TEST(Narrowing, GlobalAddressesKeepBothWords) {
  MachineBuilder b;
  const Operand address = b.pair(), value = b.word();
  b.emit(Opcode::add, DataType::u64, {address}, {Operand::makeParam(0), b.number(4)});
  b.emit(Opcode::ld, DataType::u32, {value}, {address}).modifiers.space = isa::Space::global;
  b.store(value);
  b.exit();
  EXPECT_FALSE(narrowWords(b.function));
}

// The low word of a quotient or of a right shift depends on the high word of what it is made of.
TEST(Narrowing, WhatReadsHighWordsForItsLowOneStays) {
  MachineBuilder b;
  const Operand wide = b.pair(), shifted = b.pair(), value = b.word();
  b.emit(Opcode::add, DataType::u64, {wide}, {Operand::makeParam(0), b.number(4)});
  b.emit(Opcode::shr, DataType::u64, {shifted}, {wide, b.number(3)});
  loadShared(b, value, shifted);
  b.store(value);
  b.exit();
  narrowWords(b.function);
  EXPECT_EQ(b.function.code[0].type, DataType::u64);
  EXPECT_EQ(b.function.code[1].type, DataType::u64);
}

TEST(Narrowing, WhatNobodyReadsNeedsNothing) {
  MachineBuilder b;
  const Operand wide = b.pair(), unread = b.pair(), value = b.word();
  b.emit(Opcode::add, DataType::u64, {wide}, {Operand::makeParam(0), b.number(4)});
  b.emit(Opcode::shr, DataType::u64, {unread}, {wide, b.number(3)});
  loadShared(b, value, wide);
  b.store(value);
  b.exit();
  narrowWords(b.function);
  EXPECT_EQ(b.function.code[0].type, DataType::u32);
}

}  // namespace
}  // namespace warpwright::compiler
