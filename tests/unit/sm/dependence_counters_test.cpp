// Stalls and counters, event by event.
#include "sm/dependence_counters.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

constexpr SlotId kWarp{3}, kOther{4};

isa::ControlBits waitsFor(u8 counters) { return {.stall = 1, .waits = counters}; }
constexpr isa::ControlBits kCounted{.stall = 1, .writeCounter = 2, .readCounter = 5};

TEST(DependenceCounters, AWarpWaitsForCountersThatItsInstructionNames) {
  DependenceCounters counters;
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0b111111)));
  counters.count(kWarp, kCounted, true);
  EXPECT_TRUE(counters.mustWait(kWarp, waitsFor(0b000100)));
  EXPECT_TRUE(counters.mustWait(kWarp, waitsFor(0b100000)));
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0b011011)));
  EXPECT_FALSE(counters.mustWait(kOther, waitsFor(0b111111)));
  counters.read(kWarp, kCounted, true);
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0b100000)));
  EXPECT_TRUE(counters.mustWait(kWarp, waitsFor(0b000100)));
  counters.written(kWarp, kCounted, true);
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0b111111)));
}

TEST(DependenceCounters, SeveralInstructionsMayCountOne) {
  DependenceCounters counters;
  counters.count(kWarp, kCounted, true);
  counters.count(kWarp, kCounted, true);
  counters.written(kWarp, kCounted, true);
  EXPECT_TRUE(counters.mustWait(kWarp, waitsFor(0b000100)));
  counters.written(kWarp, kCounted, true);
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0b000100)));
}

TEST(DependenceCounters, TellsMemoryFromOthers) {
  DependenceCounters counters;
  const isa::ControlBits root{.stall = 1, .writeCounter = 0};
  counters.count(kWarp, root, false);
  counters.count(kWarp, kCounted, true);
  EXPECT_FALSE(counters.awaitsMemory(kWarp, waitsFor(0b000001)));
  EXPECT_TRUE(counters.awaitsMemory(kWarp, waitsFor(0b000101)));
  counters.written(kWarp, kCounted, true);
  EXPECT_FALSE(counters.awaitsMemory(kWarp, waitsFor(0b000101)));
}

TEST(DependenceCounters, AStallEndsAtItsTime) {
  DependenceCounters counters;
  counters.stall(kWarp, Cycle{14});
  EXPECT_TRUE(counters.mustWait(kWarp, waitsFor(0)));
  counters.stallEnds(kWarp, Cycle{13});  // of an earlier warp of the slot
  EXPECT_TRUE(counters.mustWait(kWarp, waitsFor(0)));
  counters.stallEnds(kWarp, Cycle{14});
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0)));
}

TEST(DependenceCounters, AFullCounterTakesNoMore) {
  DependenceCounters counters;
  for (u32 i = 0; i < isa::kMostCounted; ++i) {
    EXPECT_FALSE(counters.mustWait(kWarp, kCounted)) << i;
    counters.count(kWarp, kCounted, true);
  }
  EXPECT_TRUE(counters.mustWait(kWarp, kCounted));
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0)));
}

TEST(DependenceCounters, ANewWarpBeginsAtZero) {
  DependenceCounters counters;
  counters.count(kWarp, kCounted, true);
  counters.stall(kWarp, Cycle{99});
  counters.start(kWarp);
  EXPECT_FALSE(counters.mustWait(kWarp, waitsFor(0b111111)));
}

}  // namespace
}  // namespace warpwright::sm
