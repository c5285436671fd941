#include <gtest/gtest.h>

#include "unit/sass/played.hpp"
#include "unit/sass/trace_text.hpp"

namespace warpwright::sass {
namespace {

struct Step {
  u32 warp;
  exec::StepRecord record;
  std::vector<std::vector<u64>> addresses;  // of each access, of its lanes
};

std::vector<Step> stepsOf(Played& played, u64 block = 0) {
  std::vector<Step> steps;
  EXPECT_TRUE(played.playBlock(block, [&](u32 warp, const exec::StepRecord& record) {
    Step& step = steps.emplace_back(Step{warp, record, {}});
    for (u32 i = 0; i < record.accessCount; ++i) {
      auto& addresses = step.addresses.emplace_back();
      for (const LaneId lane : record.accesses[i].mask) addresses.push_back(record.accesses[i].addresses[lane]);
    }
  }));
  return steps;
}

TEST(SassPlayer, PathsByTheMasks) {
  Played played(traceText({"0000 ffffffff 1 R1 S2R 0 0", "0010 ffffff00 0 BRA 0 0", "0020 000000ff 1 R1 FADD 2 R1 R1 0",
                           "0030 0000000f 1 R1 FMUL 2 R1 R1 0", "0040 000000ff 0 BSYNC 0 0", "0060 ffffff00 0 BSYNC 0 0",
                           "0080 ffffffff 0 EXIT 0 0"}));
  const std::vector<Step> steps = stepsOf(played);
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[1].record.branchTargets, 2u);
  EXPECT_EQ(steps[1].record.active, LaneMask::first(32));
  EXPECT_FALSE(steps[1].record.jumped);
  EXPECT_EQ(steps[3].record.active, LaneMask::first(8));
  EXPECT_EQ(steps[3].record.executing, LaneMask::first(4));
  EXPECT_EQ(steps[4].record.branchTargets, 0u);
  EXPECT_TRUE(steps[4].record.jumped);
  EXPECT_EQ(steps[5].record.active, LaneMask(0xffffff00));
  EXPECT_EQ(steps[6].record.active, LaneMask::first(32));
}

TEST(SassPlayer, ABranchThatAllTake) {
  Played played(traceText({"0000 ffffffff 0 BRA 0 0", "0020 00000000 0 BRA 0 0", "0030 ffffffff 0 EXIT 0 0"}));
  const std::vector<Step> steps = stepsOf(played);
  EXPECT_EQ(steps[0].record.branchTargets, 1u);
  EXPECT_TRUE(steps[0].record.jumped);
  EXPECT_EQ(steps[1].record.branchTargets, 1u);
  EXPECT_EQ(steps[1].record.active, LaneMask::first(32));
  EXPECT_FALSE(steps[1].record.jumped);
}

TEST(SassPlayer, BarriersWaitForAllThatCome) {
  const WarpLines twice{"0000 ffffffff 0 BAR.SYNC 0 0", "0010 ffffffff 0 BAR.SYNC 0 0", "0020 ffffffff 0 EXIT 0 0"};
  const WarpLines late{"0100 ffffffff 1 R1 FADD 2 R1 R1 0", "0110 ffffffff 1 R1 FADD 2 R1 R1 0", "0120 ffffffff 0 BAR.SYNC 0 0",
                       "0130 ffffffff 0 EXIT 0 0"};
  const WarpLines without{"0200 ffffffff 0 EXIT 0 0"};
  Played played(HeaderText{.block = "(96,1,1)"}.text() + blockText("0,0,0", {twice, late, without}));
  std::vector<Step> steps = stepsOf(played);
  // The first warp comes to its second barrier when the second warp has come to its only one.
  std::vector<std::pair<u32, Pc>> order;
  for (const Step& step : steps) order.emplace_back(step.warp, step.record.pc);
  const std::vector<std::pair<u32, Pc>> expected{{0, Pc{0}},  {1, Pc{16}}, {2, Pc{32}}, {1, Pc{17}},
                                                 {1, Pc{18}}, {0, Pc{1}},  {1, Pc{19}}, {0, Pc{2}}};
  EXPECT_EQ(order, expected);
  EXPECT_FALSE(steps[0].record.barrierOpened);
  EXPECT_EQ(steps[0].record.next.state, exec::WarpState::barrier);
  EXPECT_TRUE(steps[4].record.barrierOpened);
  EXPECT_TRUE(steps[5].record.barrierOpened);
}

TEST(SassPlayer, ArrivalsDoNotWait) {
  const WarpLines arrives{"0000 ffffffff 0 BAR.ARV 0 0", "0010 ffffffff 0 EXIT 0 0"};
  const WarpLines waits{"0100 ffffffff 0 BAR.SYNC 0 0", "0110 ffffffff 0 EXIT 0 0"};
  Played played(HeaderText{.block = "(64,1,1)"}.text() + blockText("0,0,0", {arrives, waits}));
  EXPECT_EQ(stepsOf(played)[0].record.next.state, exec::WarpState::ready);
}

TEST(SassPlayer, AccessesBySpace) {
  Played played(traceText({"0000 00000007 1 R4 LD.E 1 R2 4 2 0x1000 139637976723472 -1099511627776",
                           "0010 00000003 1 R4 LDL 1 R1 4 1 0xfffd20 0", "0020 ffffffff 0 EXIT 0 0"}));
  const std::vector<Step> steps = stepsOf(played);
  const exec::StepRecord& generic = steps[0].record;
  ASSERT_EQ(generic.accessCount, 3u);
  EXPECT_EQ(generic.accesses[0].space, isa::Space::global);
  EXPECT_EQ(steps[0].addresses[0], std::vector<u64>{0x1000});
  EXPECT_EQ(generic.accesses[1].space, isa::Space::shared);
  EXPECT_EQ(generic.accesses[2].space, isa::Space::local);
  EXPECT_EQ(steps[1].addresses[0],
            (std::vector<u64>{0xfffd20 - played.trace().used.firstLocal(), 0xfffd20 - played.trace().used.firstLocal()}));
  EXPECT_EQ(steps[1].record.accesses[0].values, nullptr);
}

TEST(SassPlayer, AtomicsAndWhatNoLaneExecutes) {
  Played played(traceText({"0000 ffffffff 0 RED.E.ADD.STRONG.GPU 2 R2 R4 4 1 0x1000 0", "0010 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0",
                           "0020 ffffffff 1 R4 ATOMS.ADD 2 R2 R4 4 1 0x0 4", "0030 ffffffff 0 EXIT 0 0"}));
  const std::vector<Step> steps = stepsOf(played);
  EXPECT_TRUE(steps[0].record.atomic.has_value());
  EXPECT_TRUE(steps[0].record.accesses[0].isAtomic && steps[0].record.accesses[0].isStore && !steps[0].record.accesses[0].isLoad);
  EXPECT_EQ(steps[0].record.accesses[0].spread, Spread::uniform);
  EXPECT_EQ(steps[1].record.accessCount, 0u);
  EXPECT_FALSE(steps[2].record.atomic.has_value());
  EXPECT_EQ(steps[2].record.accesses[0].spread, Spread::consecutive);
}

TEST(SassPlayer, RowsOfMatricesAreOfSomeLanes) {
  Played played(traceText({"0000 ffffffff 1 R4 LDSM.16.M88.2 1 R2 2 1 0x0 16", "0010 ffffffff 0 EXIT 0 0"}, {.smVersion = 75}));
  const exec::AccessRecord access = stepsOf(played)[0].record.accesses[0];
  EXPECT_EQ(access.mask, LaneMask::first(16));
  EXPECT_EQ(access.bytes, 16u);
}

TEST(SassPlayer, Counts) {
  Played played(traceText({"0000 ffffffff 1 R1 FADD 2 R1 R1 0", "0000 0000000f 1 R1 FADD 2 R1 R1 0", "0010 ffffffff 0 EXIT 0 0"}));
  stepsOf(played);
  EXPECT_FALSE(played.player().hasThreads());
  const exec::LaunchResult result = played.player().result();
  EXPECT_EQ(result.warpInstructions, 3u);
  EXPECT_EQ(result.threadInstructions, 68u);
  EXPECT_EQ(result.counts[0].warps, 2u);
  EXPECT_EQ(result.counts[0].lanes, 36u);
}

TEST(SassPlayer, SaysWhereWarpsAre) {
  Played played(HeaderText{.block = "(64,1,1)"}.text() +
                blockText("0,0,0", {{"0000 ffffffff 0 BAR.SYNC 0 0", "0010 ffffffff 0 EXIT 0 0"},
                                    {"0000 ffffffff 0 BAR.SYNC 0 0", "0010 ffffffff 0 EXIT 0 0"}}));
  played.player().start(BlockSlotId{0}, 0);
  played.player().step(BlockSlotId{0}, 0, {});
  EXPECT_EQ(played.player().whereThreadsWait(),
            "\n  1 warps are at '0 BAR.SYNC 0' (0x0)\n  1 warps wait at a barrier before '0 EXIT 0' (0x10)");
}

}  // namespace
}  // namespace warpwright::sass
