#include "compiler/analysis/shared_accesses.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;

Operand special(MachineBuilder& b, SpecialRegister which) {
  const Operand result = b.word();
  b.emit(Opcode::s2r, DataType::u32, {result}, {}).modifiers.special = which;
  return result;
}

MachineInstruction& load(MachineBuilder& b, Operand address, s64 offset = 0) {
  MachineInstruction& instruction = b.emit(Opcode::ld, DataType::u32, {b.word()}, {address});
  instruction.modifiers.space = isa::Space::shared;
  instruction.offset = offset;
  return instruction;
}

TEST(SharedAccesses, AddressesAreSumsOverThreadIndices) {
  MachineBuilder b;
  const Operand x = special(b, SpecialRegister::tid_x), y = special(b, SpecialRegister::tid_y), width = special(b, SpecialRegister::ntid_x);
  const Operand row = b.word(), thread = b.word(), address = b.word();
  b.emit(Opcode::mul_lo, DataType::u32, {row}, {y, width});
  b.add(thread, row, x);
  b.emit(Opcode::mad_lo, DataType::u32, {address}, {thread, b.number(68), b.number(12)});
  load(b, address, 1024);
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_EQ(accesses[0].base, 1036u);
  EXPECT_FALSE(accesses[0].isShifted);
  EXPECT_EQ(isa::offsetOf(accesses[0], {3, 2, 0}, {16, 16, 1}), 1036 + (2 * 16 + 3) * 68);
}

// for (i = 0; ; ++i) load(4 i + 64 tid.x): i is the same in all lanes.
TEST(SharedAccesses, LoopCountersShiftAllLanes) {
  MachineBuilder b;
  const Operand x = special(b, SpecialRegister::tid_x), i = b.word(), place = b.word(), address = b.word();
  b.emit(Opcode::shl, DataType::u32, {place}, {x, b.number(6)});
  b.move(i, b.number(0));
  const u32 loop = b.label();
  b.bind(loop);
  b.emit(Opcode::mad_lo, DataType::u32, {address}, {i, b.number(4), place});
  load(b, address);
  b.add(i, i, b.number(1));
  const Operand more = b.predicate();
  b.compare(more, i, b.number(100));
  b.branchIf(more, loop);
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_TRUE(accesses[0].isShifted);
  EXPECT_EQ(isa::offsetOf(accesses[0], {5, 0, 0}, {32, 1, 1}), 320);
  EXPECT_EQ(accesses[0].weight, 10);
}

TEST(SharedAccesses, WhatIsNotKnownIsLeftOut) {
  MachineBuilder b;
  const Operand x = special(b, SpecialRegister::tid_x), masked = b.word(), product = b.word();
  b.emit(Opcode::and_, DataType::u32, {masked}, {x, b.number(60)});
  b.emit(Opcode::mul_lo, DataType::u32, {product}, {x, Operand::makeParam(0)});  // by an unknown factor
  load(b, masked);
  load(b, product);
  load(b, x).modifiers.space = isa::Space::global;
  b.exit();
  EXPECT_TRUE(findSharedAccesses(b.function).empty());
}

TEST(SharedAccesses, FixedPlacesAndAtomics) {
  MachineBuilder b;
  load(b, Operand{}, 48);
  MachineInstruction& atomic = b.emit(Opcode::atom, DataType::u32, {b.word()}, {Operand{}, b.number(1)});
  atomic.modifiers.space = isa::Space::shared;
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(accesses[0].base, 48u);
  EXPECT_TRUE(accesses[0].terms.empty());
  EXPECT_TRUE(accesses[1].isAtomic);
}

}  // namespace
}  // namespace warpwright::compiler
