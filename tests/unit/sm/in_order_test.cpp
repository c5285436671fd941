// The in-order pipeline of the baseline. The cycle tables are figure 5.4 of Gou, "Customizable Memory Schemes for Data Parallel
// Accelerators".
#include <random>

#include "unit/sm/in_order_driver.hpp"

namespace warpwright::sm {
namespace {

using testing::eightWide;
using testing::sixStages;
class InOrder : public testing::InOrderDriver {};

using Cycles = std::vector<u64>;

TEST_F(InOrder, AnInstructionIsInEachStageForACycle) {
  start(sixStages());
  add();
  add();
  idle(10);
  EXPECT_EQ(issued, (Cycles{0, 1}));
  EXPECT_EQ(writtenBack(0), 5u);
  EXPECT_EQ(writtenBack(1), 6u);
  EXPECT_TRUE(stalls.empty());
}

// Figure 5.4 (a), with W(i) in cycle 1: its conflict of degree 2 keeps it in MEM0 in 4 and 5, so that the front end stalls in 5, and no
// result is written back in 6.
TEST_F(InOrder, UnifiedMemoryStagesStandStillForABankConflict) {
  start(sixStages());
  add();
  shared({2});
  for (u32 i = 0; i < 4; ++i) add();
  idle(10);
  EXPECT_EQ(issued, (Cycles{0, 1, 2, 3, 4, 6}));
  EXPECT_EQ(writtenBack(0), 5u);
  EXPECT_EQ(writtenBack(1), 7u);
  EXPECT_EQ(writtenBack(2), 8u);
  EXPECT_EQ(writtenBack(3), 9u);
  EXPECT_EQ(stalls, (std::map<Slot, u64>{{Slot::bankConflict, 1}}));
}

// Figure 5.4 (b): W(i + 1) passes by, but both are due in the write-back stage in 7; W(i) goes first and the front end stalls in that
// cycle.
TEST_F(InOrder, SplitMemoryStagesMeetAtWriteBack) {
  config::Machine split = sixStages();
  split.sm.splitMemoryStages = true;
  start(split);
  add();
  shared({2});
  for (u32 i = 0; i < 6; ++i) add();
  idle(10);
  EXPECT_EQ(issued, (Cycles{0, 1, 2, 3, 4, 5, 6, 8}));
  EXPECT_EQ(writtenBack(0), 5u);
  EXPECT_EQ(writtenBack(1), 7u);
  EXPECT_EQ(writtenBack(2), 8u);
  EXPECT_EQ(writtenBack(3), 9u);
  EXPECT_EQ(stalls, (std::map<Slot, u64>{{Slot::writeBackConflict, 1}}));
  EXPECT_EQ(pipeline->stats().writeBackConflicts, 1u);
}

// Section 5.4.1: a memory instruction cannot pass by.
TEST_F(InOrder, SplitMemoryStagesStandStillForTheNextMemoryInstruction) {
  config::Machine split = sixStages();
  split.sm.splitMemoryStages = true;
  start(split);
  add();
  shared({3});
  shared({1});
  for (u32 i = 0; i < 4; ++i) add();
  idle(10);
  EXPECT_EQ(issued, (Cycles{0, 1, 2, 3, 4, 7, 8}));
  EXPECT_EQ(stalls, (std::map<Slot, u64>{{Slot::bankConflict, 2}}));
}

// A bubble at the end of the pipeline leaves room: nothing has to wait.
TEST_F(InOrder, SplitMemoryStagesHideAConflictBehindABubble) {
  config::Machine split = sixStages();
  split.sm.splitMemoryStages = true;
  start(split);
  shared({2});
  idle(1);
  for (u32 i = 0; i < 4; ++i) add();
  idle(10);
  EXPECT_EQ(writtenBack(0), 6u);
  EXPECT_EQ(writtenBack(1), 7u);
  EXPECT_TRUE(stalls.empty());
}

TEST_F(InOrder, AWarpTakesASlotForEachSubWarp) {
  start(eightWide());
  add();
  add();
  idle(40);
  EXPECT_EQ(issued, (Cycles{0, 4}));
  // Sub-warps of the next instruction follow in the same order, so that the first result decides (24 stages x 8 lanes = 192
  // threads, 5.3.1).
  EXPECT_EQ(completed[0], 24u);
  EXPECT_EQ(completed[1], 28u);
  EXPECT_EQ(stalls, (std::map<Slot, u64>{{Slot::subWarps, 6}}));
}

// Equation 5.6: the degrees of the sub-warps add up.
TEST_F(InOrder, EachSubWarpHasItsOwnConflicts) {
  start(eightWide());
  shared({1, 5, 1, 2});
  add();
  idle(60);
  EXPECT_EQ(completed[0], 24u + 4 + 1);
  EXPECT_EQ(completed[1], 4 + 24u + 5);
  EXPECT_EQ(stalls[Slot::bankConflict], 5u);
  EXPECT_EQ(served, (std::vector<u32>{9}));
}

TEST_F(InOrder, TwoPortsServeTwoPassesACycle) {
  config::Machine ports = eightWide();
  ports.sm.sharedPorts = 2;
  start(ports);
  shared({8, 1, 3, 1});
  idle(60);
  EXPECT_EQ(completed[0], 24u + 3 + 1);
}

// A configured interval makes an instruction wider than its lanes.
TEST_F(InOrder, SlotsWithoutLanesHaveNoConflicts) {
  start(eightWide());
  slots = 100;
  shared({2, 1, 1, 1});
  slots.reset();
  add();
  idle(200);
  EXPECT_EQ(issued, (Cycles{0, 100 + 1}));
  EXPECT_EQ(completed[0], 24u + 96 + 1);
}

// Conflicts separate the sub-warps of an instruction: the next cannot follow before the last of them is sure to be written in time.
TEST_F(InOrder, AConflictOfTheLastSubWarpDelaysTheWarp) {
  start(eightWide());
  shared({1, 1, 1, 8});
  idle(60);
  EXPECT_EQ(completed[0], 24u + 7);
}

TEST_F(InOrder, DataFromOutsideTakeAWriteBackSlotForEachSubWarp) {
  start(eightWide());
  global(1, 100);
  idle(120);
  // Written back in 100 to 103.
  EXPECT_EQ(completed[0], 104u);
  EXPECT_EQ(stalls[Slot::writeBackConflict], 0u);
  EXPECT_EQ(loadStore->stats().loadLatency.count(), 1u);
}

TEST_F(InOrder, DataFromOutsideGoFirst) {
  start(eightWide());
  global(1, 60);
  for (u32 i = 0; i < 16; ++i) add();  // without a gap until 67
  idle(60);
  EXPECT_EQ(completed[0], 64u);
  EXPECT_EQ(stalls[Slot::writeBackConflict], 4u);
  EXPECT_EQ(pipeline->stats().writeBackConflicts, 4u);
  EXPECT_EQ(issued.back(), 16 * 4u + 4);
}

// The load's own slots are bubbles: what comes back in that moment finds room.
TEST_F(InOrder, BubblesHideWriteBackConflicts) {
  start(eightWide());
  global(1, 27);  // 23 to 26: its own slots; 27 to 30: those of the second load
  global(1, 200);
  for (u32 i = 0; i < 16; ++i) add();
  idle(200);
  EXPECT_EQ(completed[0], 31u);
  EXPECT_EQ(stalls[Slot::writeBackConflict], 0u);
}

// A constant that the cache has.
TEST_F(InOrder, DataThatAreThereInTimeKeepTheirSlots) {
  start(eightWide());
  global(1, 21);
  for (u32 i = 0; i < 16; ++i) add();
  idle(60);
  EXPECT_EQ(completed[0], 24u);
  EXPECT_EQ(stalls[Slot::writeBackConflict], 0u);
  EXPECT_EQ(completed[1], 28u);
}

TEST_F(InOrder, MemoryThatTakesNothingStopsThePipeline) {
  start(eightWide());
  drains = false;
  global(10, 100);  // the queue to the network holds eight
  add();
  idle(40);
  EXPECT_TRUE(completed.empty());
  // The last sub-warp would leave the first memory stage in 23.
  EXPECT_EQ(stalls[Slot::memoryStructural], now.ticks - 23);
  wire->tick(now);
  wire->tick(now);
  idle(10);
  EXPECT_EQ(completed.count(1), 1u);
}

// A stage answers what is in the load/store unit. Its queue has room for one, which an operation of a stage's own takes.
TEST_F(InOrder, AccessesPassTheStagesWhenTheUnitHasRoom) {
  config::Machine description = eightWide();
  description.sm.memoryQueue = 1;
  start(description);
  drains = false;
  AccessStage stage;
  MemoryOperation& own = loadStore->begin(stage);
  own.isStore = true;
  own.requests.resize(10);  // the queue to the network holds eight
  loadStore->submit(own, now);
  staged();
  idle(60);
  EXPECT_TRUE(answers.empty());
  wire->tick(now);
  wire->tick(now);
  idle(60);
  EXPECT_EQ(answers.size(), 1u);
  EXPECT_EQ(completed.count(0), 1u);
}

TEST_F(InOrder, StoresNeedNoWriteBackSlot) {
  start(eightWide());
  global(1, 27);  // its data are back in the slots of the first store
  shared({1, 1, 1, 1}, true);
  global(1, 300, true);
  for (u32 i = 0; i < 8; ++i) add();
  idle(60);
  EXPECT_EQ(stalls[Slot::writeBackConflict], 0u);
  EXPECT_EQ(completed[1], 28u);
  EXPECT_EQ(completed[2], 32u);
}

// Cycles in which nothing happens may be left out.
TEST_F(InOrder, SkippingChangesNothing) {
  for (const bool split : {false, true}) {
    config::Machine description = eightWide();
    description.sm.splitMemoryStages = split;
    expectSkippingChangesNothing(description, 1);
  }
}

}  // namespace
}  // namespace warpwright::sm
