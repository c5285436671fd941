// Bank-conflict aware scheduling, driven by hand: which warps may issue when.
#include "mechanisms/conflict_aware/scheduler.hpp"

#include <gtest/gtest.h>

#include "sm/memory_operation.hpp"

namespace warpwright::mechanisms::conflict_aware {
namespace {

using sm::kNoWarp;
using sm::WarpSet;

class ConflictAwareTest : public ::testing::Test {
 protected:
  ConflictAwareTest() {
    machine.warpSize = 32;
    machine.sm.loadStore.width = 8;
    machine.sm.scheduler = "strict_barrel";
    load.pc = Pc{10};
    load.interval = 4;
  }
  void start() {
    policy = std::make_unique<ConflictAware>(sm::schedulerList().make(machine.sm.scheduler, {machine, 0}), settings, machine, statistics);
  }

  // Sets as bits.
  sm::SchedulerView view(u64 ready, u64 memory, u64 now, u64 inFlight = 0) const {
    return {WarpSet(ready), ~WarpSet{}, {}, WarpSet(inFlight), WarpSet(memory), Cycle{now}, age};
  }
  SlotId pick(u64 ready, u64 memory, u64 now, u64 inFlight = 0) { return policy->pick(view(ready, memory, now, inFlight)); }
  // A load of shared memory whose sub-warps take these passes.
  void issue(u32 slot, const std::vector<u32>& passes, u64 now) {
    sm::MemoryOperation access;
    access.context.slot = SlotId{slot};
    access.info = &load;
    access.issued = Cycle{now};
    for (u32 i = 0; i < passes.size(); ++i) {
      access.bankPhases.push_back({i * 8, passes[i]});
      access.sharedPasses += passes[i];
    }
    policy->accessIssued(access);
  }
  // The history cache learns of conflicts beyond a cycle a sub-warp.
  void know(u32 cycles) {
    issue(0, {1, 1, 1, 1}, 0);
    policy->accessServed(SlotId{0}, load, 4 + cycles);
  }

  config::Machine machine;
  Settings settings;
  Statistics statistics;
  sm::InstructionInfo load;
  std::unique_ptr<ConflictAware> policy;
  std::vector<u64> age = std::vector<u64>(64);
};

// Equations 5.6 and 5.7: the degrees of the sub-warps add up to the distance.
TEST_F(ConflictAwareTest, KeepsMemoryWarpsAtTheSafeDistance) {
  start();
  know(6);
  issue(0, {3, 1, 4, 2}, 100);
  EXPECT_EQ(pick(0b10, 0b10, 104), kNoWarp);
  EXPECT_EQ(policy->heldBack(), WarpSet{0b10});
  EXPECT_EQ(policy->nextUseful(Cycle{105}), Cycle{110});
  EXPECT_EQ(pick(0b10, 0b10, 109), kNoWarp);
  EXPECT_EQ(pick(0b10, 0b10, 110), 1u);
  EXPECT_EQ(policy->heldBack(), WarpSet{});
  EXPECT_EQ(policy->nextUseful(Cycle{111}), kNever);
}

TEST_F(ConflictAwareTest, OthersGoOn) {
  start();
  know(6);
  issue(0, {3, 1, 4, 2}, 100);
  EXPECT_EQ(pick(0b110, 0b010, 104), 2u);
  EXPECT_EQ(policy->heldBack(), WarpSet{});
}

TEST_F(ConflictAwareTest, HoldsBackOnlyWhoThePolicyWouldHaveChosen) {
  start();
  know(6);
  issue(0, {3, 1, 4, 2}, 100);
  // A strict barrel lets warp 1 wait for its own instruction anyway.
  EXPECT_EQ(pick(0b10, 0b10, 104, 0b10), kNoWarp);
  EXPECT_EQ(policy->heldBack(), WarpSet{});
}

TEST_F(ConflictAwareTest, NothingIsForeseenOfWhatIsNotKnown) {
  start();
  issue(0, {8, 8, 8, 8}, 100);
  EXPECT_EQ(pick(0b10, 0b10, 104), 1u);
  policy->accessServed(SlotId{0}, load, 32);
  EXPECT_EQ(statistics.unknown, 1u);
  EXPECT_EQ(statistics.cyclesUnforeseen, 28u);
}

TEST_F(ConflictAwareTest, TheDefaultStandsInOnAMiss) {
  settings.defaultCycles = 5;
  start();
  issue(0, {1, 1, 1, 1}, 100);
  EXPECT_EQ(pick(0b10, 0b10, 108), kNoWarp);
  EXPECT_EQ(pick(0b10, 0b10, 109), 1u);
}

TEST_F(ConflictAwareTest, LearnsWhenAnAccessIsServedAndNotBefore) {
  start();
  issue(0, {8, 8, 8, 8}, 100);
  issue(1, {8, 8, 8, 8}, 104);
  EXPECT_EQ(pick(0b100, 0b100, 108), 2u);
  policy->accessServed(SlotId{0}, load, 32);
  issue(2, {8, 8, 8, 8}, 140);
  EXPECT_EQ(pick(0b1000, 0b1000, 171), kNoWarp);
  EXPECT_EQ(pick(0b1000, 0b1000, 172), 3u);
}

TEST_F(ConflictAwareTest, AKernelBeginsWithAnEmptyHistory) {
  start();
  know(6);
  policy->launchBegins();
  issue(0, {3, 1, 4, 2}, 100);
  EXPECT_EQ(pick(0b10, 0b10, 104), 1u);
}

TEST_F(ConflictAwareTest, AccessesElsewhereAreNotForeseen) {
  start();
  know(6);
  issue(0, {}, 100);
  EXPECT_EQ(pick(0b10, 0b10, 104), 1u);
  policy->accessServed(SlotId{0}, load, 30);
  EXPECT_EQ(statistics.accesses, 1u);
}

TEST_F(ConflictAwareTest, AllMemoryIsForeseenWhenAskedFor) {
  settings.scope = Scope::memory;
  start();
  issue(0, {}, 0);
  policy->accessServed(SlotId{0}, load, 10);
  issue(0, {}, 100);
  EXPECT_EQ(pick(0b10, 0b10, 109), kNoWarp);
  EXPECT_EQ(pick(0b10, 0b10, 110), 1u);
}

// Section 5.6.2.
TEST_F(ConflictAwareTest, LetsOneViolateTheDistanceWhenNothingElseIsReady) {
  settings.letViolateWhenIdle = true;
  start();
  know(6);
  issue(0, {3, 1, 4, 2}, 100);
  EXPECT_EQ(pick(0b110, 0b010, 104), 2u);
  EXPECT_EQ(pick(0b010, 0b010, 108), 1u);
  EXPECT_EQ(statistics.violations, 1u);
  // What it needs itself comes on top.
  issue(1, {3, 1, 4, 2}, 108);
  EXPECT_EQ(policy->pick(view(0b1100, 0b0100, 119)), 3u);
  EXPECT_EQ(policy->eligible(view(0b1100, 0b0100, 119)), WarpSet{0b1000});
  EXPECT_EQ(policy->eligible(view(0b1100, 0b0100, 120)), WarpSet{0b1100});
}

// Section 5.7, second choice: nothing of a warp may issue behind its own access that conflicts.
TEST_F(ConflictAwareTest, OneAccessPerWarpHoldsItsOwnWarp) {
  machine.sm.scheduler = "relaxed_barrel";
  settings.oneAccessPerWarp = true;
  start();
  know(6);
  issue(0, {3, 1, 4, 2}, 100);
  EXPECT_EQ(pick(0b01, 0, 104), kNoWarp);
  EXPECT_EQ(pick(0b11, 0, 104), 1u);
  policy->accessServed(SlotId{0}, load, 10);
  EXPECT_EQ(pick(0b01, 0, 112), 0u);
}

TEST_F(ConflictAwareTest, TheOracleKnows) {
  settings.predictor = Predictor::oracle;
  start();
  issue(0, {3, 1, 4, 2}, 100);
  EXPECT_EQ(pick(0b10, 0b10, 109), kNoWarp);
  EXPECT_EQ(pick(0b10, 0b10, 110), 1u);
  policy->accessServed(SlotId{0}, load, 10);
  EXPECT_EQ(statistics.exact, 1u);
}

}  // namespace
}  // namespace warpwright::mechanisms::conflict_aware
