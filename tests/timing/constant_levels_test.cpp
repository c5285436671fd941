// The two levels of constant cache of an SM, and where constants lie behind them.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::Step;
using testing::TimedMachine;

constexpr u32 kConstantBytes = 16384;

// Each load's address hangs on the one before; constants are all 0.
isa::Program constantLoads(u32 lines, u32 lineBytes) {
  isa::Program program = testing::twice([&](Assembler& code) {
    for (u32 line = 0; line < lines; ++line)
      code.load(Space::constant, DataType::u32, 2, R(2), s64{line} * lineBytes).modifiers.wordAddress = true;
  });
  program.constantBytes = kConstantBytes;
  return program;
}

Machine withLevels(u64 second, u32 latency) {
  Machine machine = testing::fermi();
  machine.l1c = {.bytes = 1024, .ways = 4, .lineBytes = 64, .sectorBytes = 64, .mshrs = 2, .missQueue = 4, .fillBytesPerTick = 64};
  machine.l15c = machine.l1c;
  machine.l15c.bytes = second;
  machine.l15c.hitLatency = latency;
  config::validate(machine);
  return testing::oneClock(machine);
}

struct Round {
  u64 each = 0;  // cycles from one load to the next, in the second round
  machines::TimedResult result;
};

Round ran(const Machine& config, u32 lines, bool skip = true) {
  machines::TimingOptions options;
  options.skip = skip;
  TimedMachine machine(config, options);
  Round round;
  round.result = machine.run(constantLoads(lines, 64), {1}, {32});
  const std::vector<Step> first = machine.timeline().at(kBegin + 1), second = machine.timeline().at(kBegin + 2);
  round.each = second.at(1).issued - first.at(1).issued;
  EXPECT_TRUE(round.result.violations.empty());
  return round;
}

// A ring that the first level holds never sees the second; one that it does not takes the second's latency and the way there.
TEST(ConstantLevels, TheSecondAnswersWhatTheFirstHasNot) {
  // Of a miss: the look-up in the first level; a cycle on; the fill of a line by a port as wide.
  constexpr u64 kWayThere = 1 + 1, kFill = 1;
  for (const u32 latency : {10u, 60u, 95u}) {
    const Machine machine = withLevels(8192, latency);
    const u64 hit = ran(machine, 8).each;
    EXPECT_EQ(hit, ran(withLevels(0, 1), 8).each) << "a hit in the first level";
    const Round behind = ran(machine, 64);
    EXPECT_EQ(behind.each, hit - machine.l1c.hitLatency + kWayThere + latency + kFill) << latency;
    EXPECT_EQ(behind.result.stats.l15c.accesses.total(), behind.result.stats.l1c.fetches);
    EXPECT_EQ(behind.result.stats.l15c.hits.total(), 64u) << "the second round";
    EXPECT_EQ(behind.result.stats.l15c.fetches, 64u) << "the first round";
  }
}

TEST(ConstantLevels, WhatNeitherHoldsComesFromBehind) {
  const Round far = ran(withLevels(2048, 10), 128), without = ran(withLevels(0, 1), 128);
  EXPECT_EQ(far.result.stats.l15c.hits.total(), 0u);
  EXPECT_EQ(far.result.stats.l15c.fetches, 256u);
  EXPECT_GT(far.each, without.each);
  EXPECT_LE(far.each, without.each + 4) << "two look-ups more, and a fill";
}

TEST(ConstantLevels, SkippingChangesNothing) {
  for (const u32 lines : {64u, 128u}) {
    const Machine machine = withLevels(4096, 33);
    const Round skipping = ran(machine, lines), each = ran(machine, lines, false);
    EXPECT_EQ(skipping.result.cycles, each.result.cycles);
    EXPECT_EQ(skipping.each, each.each);
    EXPECT_EQ(skipping.result.stats.l15c.inputQueueTicks, each.result.stats.l15c.inputQueueTicks);
  }
}

// data/hardware/h100/micro.csv: rings of constants, 28 cycles a load up to 2048 bytes and 98.5 from 3072 bytes on (the slope of the rows
// over the loads, without what a ring costs once).
TEST(ConstantLevels, TakeWhatTheH100Measured) {
  Machine machine = config::loadMachine("h100");
  machine.multiprocessors = 1;
  machine.sm.launchLatency = 0;
  machine.sm.perfectFetch = true;
  EXPECT_EQ(ran(machine, 16).each, 28u);
  EXPECT_NEAR(static_cast<double>(ran(machine, 64).each), 98.5, 0.5);
  EXPECT_NEAR(static_cast<double>(ran(machine, 256).each), 98.5, 0.5);
}

// Two programs have no constants in common: the second finds nothing of the first's in L2.
TEST(ConstantLevels, ConstantsLieInTheirProgramsMemory) {
  const Machine config = withLevels(0, 1);
  TimedMachine machine(config);
  const exec::LoadedProgram &one = machine.load(constantLoads(4, 128)), &other = machine.load(constantLoads(4, 128));
  const auto misses = [&](const exec::LoadedProgram& program) {
    return machine.run(program, {1}, {32}).stats.memory.partition.l2.misses[mem::AccessType::constantRead];
  };
  EXPECT_EQ(misses(one), 4u);
  EXPECT_EQ(misses(one), 0u) << "L2 has them";
  EXPECT_EQ(misses(other), 4u);
}

TEST(ConstantLevels, CopiesLeaveConstantsInL2) {
  TimedMachine machine(withLevels(0, 1));
  const exec::LoadedProgram& program = machine.load(constantLoads(4, 128));
  machine.copied = {{program.constantBase, kConstantBytes}};
  const mem::CacheStats l2 = machine.run(program, {1}, {32}).stats.memory.partition.l2;
  EXPECT_EQ(l2.hits[mem::AccessType::constantRead], 4u);
  EXPECT_EQ(l2.misses[mem::AccessType::constantRead], 0u);
}

}  // namespace
}  // namespace warpwright
