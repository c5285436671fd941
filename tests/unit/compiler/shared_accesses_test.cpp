#include "compiler/analysis/shared_accesses.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;

MachineInstruction& loadFrom(MachineBuilder& b, Operand address, s64 offset = 0) {
  MachineInstruction& instruction = b.emit(Opcode::ld, DataType::u32, {b.word()}, {address});
  instruction.modifiers.space = isa::Space::shared;
  instruction.offset = offset;
  return instruction;
}

TEST(SharedAccesses, AddressesAreSumsOverThreadIndices) {
  MachineBuilder b;
  const Operand x = b.special(SpecialRegister::tid_x), y = b.special(SpecialRegister::tid_y), width = b.special(SpecialRegister::ntid_x);
  const Operand row = b.word(), thread = b.word(), address = b.word();
  b.emit(Opcode::mul_lo, DataType::u32, {row}, {y, width});
  b.add(thread, row, x);
  b.emit(Opcode::mad_lo, DataType::u32, {address}, {thread, b.number(68), b.number(12)});
  loadFrom(b, address, 1024);
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_EQ(accesses[0].base, 1036u);
  EXPECT_FALSE(accesses[0].isShifted);
  EXPECT_EQ(isa::offsetOf(accesses[0], {3, 2, 0}, {16, 16, 1}), 1036 + (2 * 16 + 3) * 68);
}

// for (i = 0; ; ++i) loadFrom(4 i + 64 tid.x): i is the same in all lanes.
TEST(SharedAccesses, LoopCountersShiftAllLanes) {
  MachineBuilder b;
  const Operand x = b.special(SpecialRegister::tid_x), i = b.word(), place = b.word(), address = b.word();
  b.emit(Opcode::shl, DataType::u32, {place}, {x, b.number(6)});
  b.move(i, b.number(0));
  const u32 loop = b.label();
  b.bind(loop);
  b.emit(Opcode::mad_lo, DataType::u32, {address}, {i, b.number(4), place});
  loadFrom(b, address);
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

// for (s = 1; ; s *= 2) loadFrom(8 s tid.x + 4 s): the strides of a reduction, with the product by a shift or with a variable of its own.
TEST(SharedAccesses, StridesThatDoubleAreKnownInEachIteration) {
  MachineBuilder b;
  const Operand x = b.special(SpecialRegister::tid_x), s = b.word(), next = b.word(), place = b.word(), scaled = b.word();
  const Operand index = b.word(), address = b.word();
  b.move(s, b.number(1));
  b.emit(Opcode::shl, DataType::u32, {index}, {x, b.number(3)});
  const u32 loop = b.label();
  b.bind(loop);
  b.emit(Opcode::mul_lo, DataType::u32, {place}, {x, s});
  b.emit(Opcode::shl, DataType::u32, {scaled}, {place, b.number(3)});
  b.emit(Opcode::mad_lo, DataType::u32, {address}, {s, b.number(4), scaled});
  loadFrom(b, address);
  loadFrom(b, index);
  b.add(index, index, index);
  b.emit(Opcode::shl, DataType::u32, {next}, {s, b.number(1)});
  b.move(s, next);
  const Operand more = b.predicate();
  b.compare(more, s, b.number(128));
  b.branchIf(more, loop);
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 2u);
  for (u32 iteration = 0; iteration < 8; ++iteration) {
    const s64 stride = s64{1} << iteration;
    EXPECT_EQ(isa::offsetOf(accesses[0], {5, 0, 0}, {256, 1, 1}, iteration), 8 * stride * 5 + 4 * stride);
    EXPECT_EQ(isa::offsetOf(accesses[1], {5, 0, 0}, {256, 1, 1}, iteration), 8 * stride * 5);
  }
  EXPECT_TRUE(accesses[0].isRepeated);
  EXPECT_FALSE(accesses[0].isShifted);
}

// for (s = ntid.x / 2; s > 0; s /= 4) loadFrom(4 tid.x s)
TEST(SharedAccesses, StridesThatShrinkAreKnownInEachIteration) {
  MachineBuilder b;
  const Operand x = b.special(SpecialRegister::tid_x), width = b.special(SpecialRegister::ntid_x), s = b.word(), place = b.word();
  const Operand address = b.word();
  b.emit(Opcode::shr, DataType::u32, {s}, {width, b.number(1)});
  const u32 loop = b.label();
  b.bind(loop);
  b.emit(Opcode::mul_lo, DataType::u32, {place}, {x, s});
  b.emit(Opcode::shl, DataType::u32, {address}, {place, b.number(2)});
  loadFrom(b, address);
  b.emit(Opcode::shr, DataType::u32, {s}, {s, b.number(2)});
  const Operand more = b.predicate();
  b.compare(more, b.number(0), s);
  b.branchIf(more, loop);
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 1u);
  for (const auto& [iteration, stride] : {std::pair{0u, 128}, {1u, 32}, {2u, 8}, {3u, 2}, {4u, 0}})
    EXPECT_EQ(isa::offsetOf(accesses[0], {5, 0, 0}, {256, 1, 1}, iteration), 4 * 5 * stride);
}

// A butterfly's place: 4 (((x - (x & 7)) << 1) + (x & 7)).
TEST(SharedAccesses, MasksOfThreadIndicesAreKnown) {
  MachineBuilder b;
  const Operand x = b.special(SpecialRegister::tid_x), low = b.word(), high = b.word(), place = b.word(), address = b.word();
  b.emit(Opcode::and_, DataType::u32, {low}, {x, b.number(7)});
  b.emit(Opcode::sub, DataType::u32, {high}, {x, low});
  b.emit(Opcode::mad_lo, DataType::u32, {place}, {high, b.number(2), low});
  b.emit(Opcode::shl, DataType::u32, {address}, {place, b.number(2)});
  loadFrom(b, address);
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 1u);
  for (s64 thread = 0; thread < 64; ++thread)
    EXPECT_EQ(isa::offsetOf(accesses[0], {static_cast<u32>(thread), 0, 0}, {64, 1, 1}), 4 * ((thread - thread % 8) * 2 + thread % 8));
}

TEST(SharedAccesses, ProductsWrapAround) {
  MachineBuilder b;
  constexpr u64 kFactor = 0x9e3779b97f4a7c15;
  const Operand x = b.special(SpecialRegister::tid_x), once = b.pair(), address = b.pair();
  b.emit(Opcode::mul_lo, DataType::u64, {once}, {x, Operand::makeImmediate(kFactor)});
  b.emit(Opcode::mul_lo, DataType::u64, {address}, {once, Operand::makeImmediate(kFactor)});
  loadFrom(b, address);
  b.exit();
  const auto accesses = findSharedAccesses(b.function);
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_EQ(isa::offsetOf(accesses[0], {5, 0, 0}, {64, 1, 1}), static_cast<s64>(5 * kFactor * kFactor));
}

// Lanes that come from different sides of a branch: the addend is not the same for all.
TEST(SharedAccesses, WhatABranchDecidesForEachLaneIsLeftOut) {
  MachineBuilder b;
  const Operand x = b.special(SpecialRegister::tid_x), addend = b.word(), address = b.word(), isLow = b.predicate();
  b.compare(isLow, x, b.number(16));
  b.move(addend, b.number(0));
  const u32 meeting = b.label();
  b.branchIf(isLow, meeting);
  b.move(addend, b.number(64));
  b.bind(meeting);
  b.emit(Opcode::mad_lo, DataType::u32, {address}, {x, b.number(4), addend});
  loadFrom(b, address);
  b.exit();
  EXPECT_TRUE(findSharedAccesses(b.function).empty());
}

TEST(SharedAccesses, WhatIsNotKnownIsLeftOut) {
  MachineBuilder b;
  const Operand x = b.special(SpecialRegister::tid_x), masked = b.word(), product = b.word();
  b.emit(Opcode::and_, DataType::u32, {masked}, {x, Operand::makeParam(0)});     // with an unknown mask
  b.emit(Opcode::mul_lo, DataType::u32, {product}, {x, Operand::makeParam(0)});  // by an unknown factor
  loadFrom(b, masked);
  loadFrom(b, product);
  loadFrom(b, x).modifiers.space = isa::Space::global;
  b.exit();
  EXPECT_TRUE(findSharedAccesses(b.function).empty());
}

TEST(SharedAccesses, FixedPlacesAndAtomics) {
  MachineBuilder b;
  loadFrom(b, Operand{}, 48);
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
