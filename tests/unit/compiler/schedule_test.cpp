#include "compiler/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include "compiler/registers/verify_translation.hpp"
#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

// The numbers of the instructions in their new order.
std::vector<u32> orderOf(MachineBuilder& b, u32 registers) {
  numberInstructions(b.function);
  schedule(b.function, registers);
  std::vector<u32> order;
  for (const MachineInstruction& instruction : b.function.code) order.push_back(instruction.number);
  return order;
}

MachineInstruction& load(MachineBuilder& b, const Operand& to, s64 offset, isa::Space space = isa::Space::global) {
  MachineInstruction& result = b.emit(Opcode::ld, DataType::u32, {to}, {});
  result.modifiers.space = space;
  result.offset = offset;
  return result;
}
MachineInstruction& store(MachineBuilder& b, const Operand& from, s64 offset, isa::Space space = isa::Space::global) {
  MachineInstruction& result = b.store(from);
  result.modifiers.space = space;
  result.offset = offset;
  return result;
}

// sum of two loaded values, each used at once
void fillWithTwoLoads(MachineBuilder& b) {
  const Operand x = b.word(), y = b.word(), sum = b.word();
  load(b, x, 0);
  b.add(sum, x, x);
  load(b, y, 4);
  b.add(sum, sum, y);
  store(b, sum, 8, isa::Space::shared);
  b.exit();
}

TEST(Schedule, LoadsGoAheadOfWhatWaits) {
  MachineBuilder b;
  fillWithTwoLoads(b);
  EXPECT_EQ(orderOf(b, 64), (std::vector<u32>{0, 2, 1, 3, 4, 5}));
}

TEST(Schedule, ScarceRegistersKeepThemBack) {
  MachineBuilder b;
  fillWithTwoLoads(b);
  EXPECT_EQ(orderOf(b, 0), (std::vector<u32>{0, 1, 2, 3, 4, 5}));
}

TEST(Schedule, AccessesThatMayOverlapKeepTheirOrder) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  b.move(x, b.number(1));
  store(b, x, 0);
  load(b, y, 0);
  store(b, y, 64, isa::Space::shared);
  b.exit();
  EXPECT_EQ(orderOf(b, 64), (std::vector<u32>{0, 1, 2, 3, 4}));
}

TEST(Schedule, OtherBytesAndOtherSpacesMayBeRead) {
  for (const bool otherSpace : {false, true}) {
    MachineBuilder b;
    const Operand x = b.word(), y = b.word();
    b.move(x, b.number(1));
    store(b, x, 0);
    load(b, y, otherSpace ? 0 : 4, otherSpace ? isa::Space::shared : isa::Space::global);
    store(b, y, 64);
    b.exit();
    EXPECT_EQ(orderOf(b, 64)[0], 2u) << otherSpace;
  }
}

TEST(Schedule, NothingCrossesABarrier) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  load(b, x, 0, isa::Space::shared);
  b.emit(Opcode::bar_sync, DataType::u32, {}, {b.number(0)});
  load(b, y, 4, isa::Space::shared);
  b.add(x, x, y);
  store(b, x, 8, isa::Space::shared);
  b.exit();
  EXPECT_EQ(orderOf(b, 64), (std::vector<u32>{0, 1, 2, 3, 4, 5}));
}

TEST(Schedule, AWriteWaitsForTheReadersOfTheOldValue) {
  MachineBuilder b;
  const Operand x = b.word(), p = b.predicate();
  load(b, x, 0);
  store(b, x, 4, isa::Space::shared);
  load(b, x, 8);
  b.compare(p, x, b.number(1));
  load(b, x, 12).guard = p;
  store(b, x, 16, isa::Space::shared);
  b.exit();
  EXPECT_EQ(orderOf(b, 64), (std::vector<u32>{0, 1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace warpwright::compiler
