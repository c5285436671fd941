// The elastic pipeline alone: what issues when, and when it is written back. The cycle tables follow figure 5.5 of Gou, "Customizable
// Memory Schemes for Data Parallel Accelerators", and section 5.4.
#include "mechanisms/elastic_pipeline/stages.hpp"

#include <random>

#include "mechanisms/elastic_pipeline/hardware_cost.hpp"
#include "unit/sm/in_order_driver.hpp"

namespace warpwright::mechanisms::elastic_pipeline {
namespace {

using sm::InOrderPipeline;
using sm::Slot;
using sm::testing::eightWide;
using sm::testing::sixStages;
using Cycles = std::vector<u64>;
using Stalls = std::map<Slot, u64>;

class Elastic : public sm::testing::InOrderDriver {
 protected:
  std::unique_ptr<InOrderPipeline> makePipeline() override {
    statistics = {};
    return std::make_unique<InOrderPipeline>(machine, *loadStore, events_, nullptr, [this](const sm::StagesContext& context) {
      return std::make_unique<ElasticStages>(machine, settings, context, statistics);
    });
  }

  Settings settings;
  Statistics statistics;
};

// One sub-warp a warp: the results of 0, 1, … as they are written back.
TEST_F(Elastic, NonMemoryInstructionsGoPastTheMemoryStages) {
  start(sixStages());
  add();
  add();
  idle(10);
  EXPECT_EQ(issued, (Cycles{0, 1}));
  EXPECT_EQ(writtenBack(0), 3u);  // fetch, decode, execute
  EXPECT_EQ(writtenBack(1), 4u);
  EXPECT_EQ(statistics.bypassed, 2u);
  const HardwareCost cost = hardwareCost(depthsOf(settings, machine), machine.sm.loadStore.width);
  EXPECT_EQ(statistics.latches.value, cost.latches);
  EXPECT_EQ(statistics.writeBackInputs.value, cost.writeBackInputs);
  EXPECT_EQ(statistics.firstMemoryInputs.value, cost.firstMemoryInputs);
}

TEST_F(Elastic, MemoryInstructionsPassAllStages) {
  start(sixStages());
  shared({1});
  idle(10);
  EXPECT_EQ(writtenBack(0), 5u);
}

// Figure 5.5 with W(i) in cycle 1 and an empty NONMEM queue: W(i) stays in MEM0 in 4 and 5, is in MEM1 in 6 and written in 7. Nothing
// waits for it but W(i + 4), which is in the last execution stage in 6 and finds write-back taken.
TEST_F(Elastic, ABankConflictStopsNobody) {
  start(sixStages());
  add();
  shared({2});
  for (u32 i = 0; i < 6; ++i) add();
  idle(10);
  EXPECT_EQ(issued, (Cycles{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(writtenBack(0), 3u);
  EXPECT_EQ(writtenBack(1), 7u);
  EXPECT_EQ(writtenBack(2), 5u);
  EXPECT_EQ(writtenBack(3), 6u);
  EXPECT_EQ(writtenBack(4), 8u);
  EXPECT_EQ(writtenBack(5), 9u);
  EXPECT_TRUE(stalls.empty());
}

// Figure 5.5 with a full pipeline: two accesses before have filled the NONMEM queue, so that W(i - 1) is written in i + 4 as in figure 5.4.
// The conflict of W(i) leaves write-back free in i + 5: W(i + 1) takes it from NONMEM0, W(i) follows in i + 6, W(i + 2) in i + 7.
TEST_F(Elastic, TheNonmemQueueFillsTheBubbleOfABankConflict) {
  start(sixStages());
  shared({1});
  shared({1});
  add();
  add();            // W(i - 1)
  const u64 i = 4;  // W(i) is fetched then
  const u32 w = shared({2});
  for (u32 more = 0; more < 6; ++more) add();
  idle(12);
  EXPECT_EQ(issued[w], i);
  EXPECT_EQ(writtenBack(w - 1), i + 4);
  EXPECT_EQ(writtenBack(w + 1), i + 5);
  EXPECT_EQ(writtenBack(w), i + 6);
  EXPECT_EQ(writtenBack(w + 2), i + 7);
  EXPECT_EQ(writtenBack(w + 3), i + 8);
  EXPECT_EQ(statistics.mostNonmem.value, 2u);
  EXPECT_TRUE(stalls.empty());
}

// Section 5.4.1: conflicts of any degree, as long as no memory instruction follows within it.
TEST_F(Elastic, ToleratesAnyDegreeAtTheSafeDistance) {
  for (const u32 degree : {1u, 2u, 3u, 8u, 32u}) {
    start(sixStages());
    for (u32 round = 0; round < 4; ++round) {
      shared({degree});
      for (u32 other = 1; other < degree; ++other) add();
    }
    for (u32 i = 0; i < 4; ++i) add();
    idle(50);
    EXPECT_TRUE(stalls.empty()) << "degree " << degree;
    EXPECT_EQ(issued.back(), issued.size() - 1);
  }
}

// … and one that follows too early stands in the last execution stage.
TEST_F(Elastic, AMemoryInstructionWithinTheSafeDistanceStalls) {
  start(sixStages());
  shared({3});
  add();
  shared({1});
  for (u32 i = 0; i < 6; ++i) add();
  idle(20);
  EXPECT_EQ(stalls, (Stalls{{Slot::bankConflict, 1}}));
  EXPECT_EQ(writtenBack(0), 7u);
  EXPECT_EQ(writtenBack(2), 8u);
}

// Section 5.4.3: the second half of a warp waits in the PREMEM queue, and what follows is written back in the meantime.
TEST_F(Elastic, ThePrememQueueHoldsTheOtherSubWarps) {
  config::Machine wide = sixStages();
  wide.warpSize = 16;
  start(wide);
  shared({2, 2});
  add();
  add();
  idle(20);
  EXPECT_EQ(issued, (Cycles{0, 2, 4}));
  EXPECT_EQ(stalls, (Stalls{{Slot::subWarps, 3}}));
  // MEM0 in 3 to 4 and 5 to 6; written in 6 and 8, so that the first half of what follows may issue in 8. The additions, written in 5, 7
  // and 9, 10, go round them.
  EXPECT_EQ(completed[0], 8u);
  EXPECT_EQ(statistics.mostPremem.value, 1u);
  EXPECT_EQ(served, (std::vector<u32>{4}));
}

// N = 3 hides all conflicts of one warp, whatever their degrees.
TEST_F(Elastic, BackToBackSubWarpsNeedNoDistance) {
  start(eightWide());
  shared({8, 8, 8, 8});
  for (u32 i = 0; i < 12; ++i) add();
  idle(120);
  EXPECT_EQ(stalls.count(Slot::bankConflict), 0u);
  EXPECT_EQ(issued.back(), 12 * 4u);
  EXPECT_EQ(served, (std::vector<u32>{32}));
  EXPECT_EQ(statistics.mostPremem.value, 3u);
}

TEST_F(Elastic, AFullPrememQueueStalls) {
  start(eightWide());
  shared({8, 8, 8, 8});
  shared({1, 1, 1, 1});
  for (u32 i = 0; i < 8; ++i) add();
  idle(120);
  // 32 cycles in MEM0; four are the first access's own slots, and three sub-warps of the second find room in the queue.
  EXPECT_EQ(stalls[Slot::bankConflict], 32u - 4 - 3);
}

// --- write-back

// Data from outside, then the memory stages, then the others; the others wait in the NONMEM queue and nothing stands still.
TEST_F(Elastic, DataFromOutsideGoFirstAndStopNobody) {
  start(eightWide());
  global(1, 60);
  for (u32 i = 0; i < 16; ++i) add();
  idle(60);
  EXPECT_EQ(completed[0], 64u);
  EXPECT_EQ(stalls.count(Slot::writeBackConflict), 0u);
  EXPECT_EQ(issued.back(), 16 * 4u);
  EXPECT_EQ(statistics.mostNonmem.value, 4u);
}

// The oldest of the NONMEM queue comes before the last execution stage, also where that needs no port.
TEST_F(Elastic, NothingOvertakesTheNonmemQueue) {
  start(sixStages());
  global(1, 20);
  global(1, 21);
  idle(15);
  const u32 result = add(), none = branch();  // issued in 17 and 18: due in 20 and 21, as the data are
  idle(20);
  EXPECT_EQ(issued[result], 17u);
  EXPECT_EQ(writtenBack(result), 22u);
  EXPECT_EQ(writtenBack(none), 23u);
}

// More than the queue holds.
TEST_F(Elastic, AFullNonmemQueueStalls) {
  start(eightWide());
  global(1, 60);
  global(1, 64);
  for (u32 i = 0; i < 20; ++i) add();
  idle(60);
  EXPECT_EQ(stalls[Slot::writeBackConflict], 4u);
}

TEST_F(Elastic, TheQueueDrainsThroughBubbles) {
  start(eightWide());
  global(1, 60);
  for (u32 i = 0; i < 15; ++i) add();
  global(1, 300);  // four slots without a result
  for (u32 i = 0; i < 8; ++i) add();
  idle(300);
  const u32 last = static_cast<u32>(issued.size()) - 1;
  EXPECT_EQ(completed[last] - issued[last], 20u);  // past the memory stages again
}

// As in the baseline an instruction may be followed when its first sub-warp is written: the others come in the same order.
TEST_F(Elastic, AWarpGoesOnWhenItsFirstSubWarpIsWritten) {
  start(eightWide());
  add();
  idle(40);
  EXPECT_EQ(completed[0], 20u);
}

TEST_F(Elastic, AConflictOfTheLastSubWarpDelaysTheWarp) {
  start(eightWide());
  shared({1, 1, 1, 8});
  idle(60);
  EXPECT_EQ(completed[0], 24u + 7);
}

TEST_F(Elastic, MemoryThatTakesNothingStopsMemoryInstructionsAlone) {
  start(eightWide());
  drains = false;
  global(10, 100);  // the queue to the network holds eight
  for (u32 i = 0; i < 6; ++i) add();
  idle(40);
  EXPECT_EQ(completed.size(), 6u);
  EXPECT_EQ(stalls.count(Slot::memoryStructural), 0u);
  global(1, 200);
  add();
  idle(40);
  EXPECT_GT(stalls[Slot::memoryStructural], 0u);
}

// --- the order of one warp's results (section 5.7)

TEST_F(Elastic, InOrderCommitHoldsBackTheOwnWarpAlone) {
  settings.commit = Commit::inOrder;
  start(sixStages());
  shared({3});  // of warp 0: MEM0 in 3 to 5, MEM1 in 6, written in 7
  const u32 own = add();
  slot = 1;
  const u32 other = add();
  idle(20);
  EXPECT_EQ(writtenBack(0), 7u);
  EXPECT_EQ(writtenBack(own), 8u);
  EXPECT_EQ(writtenBack(other), 5u);
}

TEST_F(Elastic, OutOfOrderCommitLetsTheOwnWarpOvertake) {
  start(sixStages());
  shared({3});
  const u32 own = add();
  idle(20);
  EXPECT_EQ(writtenBack(own), 4u);
}

// But for what awaits data from outside, which comes when it comes.
TEST_F(Elastic, InOrderCommitKeepsTheOrderOfAWarp) {
  settings.commit = Commit::inOrder;
  std::mt19937 random(5);
  const auto degree = [&] { return 1 + static_cast<u32>(random() % 3); };
  for (u32 round = 0; round < 50; ++round) {
    start(eightWide());
    std::map<u32, std::vector<u32>> ofSlot;
    for (u32 i = 0; i < 100; ++i) {
      slot = random() % 3;
      const u32 kind = random() % 6;
      if (kind < 2) {
        global(1, now.ticks + 60 + random() % 20);
        continue;
      }
      ofSlot[slot].push_back(kind == 2 ? shared({degree(), degree(), degree(), degree()}) : add());
    }
    idle(600);
    ASSERT_EQ(completed.size(), 100u);
    for (const auto& [of, numbers] : ofSlot) {
      for (std::size_t i = 1; i < numbers.size(); ++i)
        EXPECT_LT(completed[numbers[i - 1]], completed[numbers[i]]) << "round " << round << ", instruction " << numbers[i];
    }
  }
}

// --- all of it

// Cycles in which nothing happens may be left out.
TEST_F(Elastic, SkippingChangesNothing) {
  for (const Commit commit : {Commit::outOfOrder, Commit::inOrder}) {
    settings.commit = commit;
    expectSkippingChangesNothing(eightWide(), 4);
  }
}

TEST(ElasticDepths, FollowTheEquations) {
  const Depths wide = depthsOf({}, eightWide());
  EXPECT_EQ(wide.nonmem, 4u);  // section 5.4.4: M = 4, N = 3
  EXPECT_EQ(wide.premem, 3u);
  const Depths narrow = depthsOf({}, sixStages());
  EXPECT_EQ(narrow.nonmem, 2u);
  EXPECT_EQ(narrow.premem, 0u);
}

// Table 5.2 with M = 4 and N = 3.
TEST(ElasticCost, FollowsTheTable) {
  const HardwareCost cost = hardwareCost(depthsOf({}, eightWide()), 8);
  EXPECT_EQ(cost.latches, 7u * 8);
  EXPECT_EQ(cost.writeBackInputs, 4u + 3);
  EXPECT_EQ(cost.firstMemoryInputs, 3u + 1);
}

}  // namespace
}  // namespace warpwright::mechanisms::elastic_pipeline
