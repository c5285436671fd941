#include "compiler/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(Schedule, NoAccessCrossesWhatOrdersAccesses) {
  for (const Opcode barrier : {Opcode::bar_sync, Opcode::warpsync}) {
    MachineBuilder b;
    const Operand x = b.word(), y = b.word();
    load(b, x, 0, isa::Space::shared);
    b.emit(barrier, DataType::u32, {}, {b.number(0)});
    load(b, y, 4, isa::Space::shared);
    b.add(x, x, y);
    store(b, x, 8, isa::Space::shared);
    b.emit(barrier, DataType::u32, {}, {b.number(0)});
    b.exit();
    EXPECT_EQ(orderOf(b, 64), (std::vector<u32>{0, 1, 2, 3, 4, 5, 6})) << isa::info(barrier).mnemonic;
  }
}

TEST(Schedule, ArithmeticCrossesABarrier) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  load(b, x, 0, isa::Space::shared);
  b.add(y, x, x);
  b.emit(Opcode::bar_sync, DataType::u32, {}, {b.number(0)});
  store(b, y, 8, isa::Space::shared);
  b.exit();
  EXPECT_EQ(orderOf(b, 64), (std::vector<u32>{0, 2, 1, 3, 4})) << "the barrier does not wait for the load's reader";
}

// A sum that only the result of a slow load is added to.
TEST(Schedule, ArithmeticThatNeedsRegistersWaitsAsLongAsItMay) {
  MachineBuilder b;
  const Operand n = b.word(), x = b.word(), sum = b.word();
  load(b, n, 0, isa::Space::shared);
  b.add(sum, n, b.number(1));
  load(b, x, 0);
  store(b, n, 12, isa::Space::shared);
  b.add(x, x, sum);
  store(b, x, 8, isa::Space::shared);
  store(b, n, 16, isa::Space::shared);
  b.exit();
  const std::vector<u32> order = orderOf(b, 64);
  const auto place = [&](u32 number) { return std::find(order.begin(), order.end(), number) - order.begin(); };
  EXPECT_LT(place(3), place(1)) << "the sum has time, though more depends on it";
}

// A sum of many values: while loads could run ahead, what frees their registers does not wait.
TEST(Schedule, WhatFreesRegistersGoesAheadOfWhatCanWait) {
  MachineBuilder b;
  std::vector<Operand> values;
  const Operand sum = b.word();
  b.move(sum, b.number(0));
  constexpr u32 kValues = 40;
  for (u32 i = 0; i < kValues; ++i) load(b, values.emplace_back(b.word()), 4 * i, isa::Space::shared);
  for (const Operand& value : values) b.add(sum, sum, value);
  store(b, sum, 1000);
  b.exit();
  const std::vector<u32> order = orderOf(b, 64);
  u32 live = 0, most = 0;
  for (const u32 number : order) {
    live += number >= 1 && number <= kValues;
    live -= number > kValues && number <= 2 * kValues;
    most = std::max(most, live);
  }
  EXPECT_LT(most, 30u) << "twelve loads in the latency of the first, and then two for each addition";
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

// The words of values that are numbered as they are written, at the most, when each is read once.
u32 mostLive(const MachineFunction& function) {
  std::vector<u32> reads(function.units());
  for (const MachineInstruction& instruction : function.code) forEachSourceUnit(function, instruction, [&](u32 unit) { ++reads[unit]; });
  std::vector<bool> live(function.units());
  u32 most = 0;
  for (const MachineInstruction& instruction : function.code) {
    forEachSourceUnit(function, instruction, [&](u32 unit) {
      if (--reads[unit] == 0) live[unit] = false;
    });
    forEachDestinationUnit(function, instruction, [&](u32 unit) { live[unit] = reads[unit] > 0 && unit < function.words(); });
    most = std::max(most, static_cast<u32>(std::count(live.begin(), live.end(), true)));
  }
  return most;
}

// Eight sums of pairs of loads, each stored before the next.
TEST(Schedule, LoadsGoAheadAsFarAsThereAreRegisters) {
  for (const u32 registers : {3u, 4u, 6u, 10u, 16u}) {
    MachineBuilder b;
    for (u32 i = 0; i < 8; ++i) {
      const Operand x = b.word(), y = b.word(), sum = b.word();
      load(b, x, 8 * i);
      load(b, y, 8 * i + 4);
      b.add(sum, x, y);
      store(b, sum, 4 * i, isa::Space::shared);
    }
    b.exit();
    const std::vector<u32> order = orderOf(b, registers);
    const auto ahead = std::find_if(order.begin(), order.end(), [](u32 number) { return number % 4 == 2; }) - order.begin();
    EXPECT_LE(mostLive(b.function), registers);
    EXPECT_GE(ahead, registers - 1) << "loads before the first sum, with " << registers << " registers";
  }
}

// The words that a long tail needs do not keep back loads that are done with before it.
TEST(Schedule, ATailWithManyValuesDoesNotKeepBackTheLoadsBeforeIt) {
  MachineBuilder b;
  for (u32 i = 0; i < 4; ++i) {
    const Operand x = b.word();
    load(b, x, 4 * i);
    store(b, x, 4 * i, isa::Space::shared);
  }
  b.emit(Opcode::bar_sync, DataType::u32, {}, {b.number(0)});
  std::vector<Operand> values;
  for (u32 i = 0; i < 6; ++i) load(b, values.emplace_back(b.word()), 100 + 4 * i, isa::Space::shared);
  const Operand first = b.word();
  load(b, first, 200);
  store(b, first, 204);
  for (const Operand& value : values) store(b, value, 300, isa::Space::local);
  b.exit();
  const std::vector<u32> order = orderOf(b, 7);
  EXPECT_TRUE(std::all_of(order.begin(), order.begin() + 4, [](u32 number) { return number < 8 && number % 2 == 0; }))
      << "all four loads, though the tail needs all seven registers";
  EXPECT_LE(mostLive(b.function), 7u);
}

// Three comparisons, each for a load, two predicates, and additions that need no more registers.
TEST(Schedule, PredicatesThatAreTooManyComeLater) {
  for (const u32 predicates : {2u, 7u}) {
    MachineBuilder b;
    std::vector<Operand> sums, values;
    for (u32 i = 0; i < 8; ++i) b.move(sums.emplace_back(b.word()), b.number(i));
    b.emit(Opcode::nanosleep, DataType::u32, {}, {b.number(0)});
    for (u32 i = 0; i < 3; ++i) {
      const Operand p = b.predicate();
      b.compare(p, sums[0], b.number(i));
      load(b, values.emplace_back(b.word()), 4 * i).guard = p;
    }
    for (const Operand& sum : sums) b.add(sum, sum, b.number(1));
    for (const Operand& value : values) store(b, value, 100, isa::Space::shared);
    for (const Operand& sum : sums) store(b, sum, 100, isa::Space::shared);
    b.exit();
    numberInstructions(b.function);
    schedule(b.function, 64, predicates);
    u32 comparisons = 0;
    for (const MachineInstruction& instruction : b.function.code) {
      if (instruction.opcode == Opcode::ld) break;
      comparisons += instruction.opcode == Opcode::setp;
    }
    EXPECT_EQ(comparisons, std::min(predicates, 3u)) << "before the first load";
  }
}

}  // namespace
}  // namespace warpwright::compiler
