#include "exec/path_tree.hpp"

#include <gtest/gtest.h>

namespace warpwright::exec {
namespace {

using Target = PathTree::Target;

struct PathTreeTest : ::testing::Test {
  PathTree tree;
  void SetUp() override { tree.reset(Pc{0}, LaneMask::first(8)); }
  void diverge(Path& path, std::initializer_list<std::pair<u32, LaneMask>> sides, u32 meeting) {
    std::vector<Target> targets;
    for (const auto& [pc, lanes] : sides) targets.push_back({Pc(pc), lanes});
    tree.diverge(path, targets, Pc(meeting));
  }
};

TEST_F(PathTreeTest, TwoSidesMeetAtTheirPostDominator) {
  diverge(*tree.select(), {{5, LaneMask(0x0f)}, {1, LaneMask(0xf0)}}, 9);
  ASSERT_EQ(tree.paths().size(), 2u);
  EXPECT_EQ(tree.select()->pc, 1u);  // the last target runs first
  EXPECT_EQ(tree.meetingPoint(*tree.select()), 9u);
  tree.arrive(*tree.select());
  EXPECT_EQ(tree.waiting(), LaneMask(0xf0));
  EXPECT_EQ(tree.select()->pc, 5u);
  tree.arrive(*tree.select());
  ASSERT_EQ(tree.paths().size(), 1u);
  EXPECT_EQ(tree.select()->pc, 9u);
  EXPECT_EQ(tree.select()->mask, LaneMask(0xff));
  EXPECT_EQ(tree.waiting(), LaneMask{});
}

TEST_F(PathTreeTest, LanesThatJumpToTheMeetingPointArriveAtOnce) {
  diverge(*tree.select(), {{9, LaneMask(0x0f)}, {1, LaneMask(0xf0)}}, 9);
  ASSERT_EQ(tree.paths().size(), 1u);
  EXPECT_EQ(tree.waiting(), LaneMask(0x0f));
  tree.arrive(*tree.select());
  EXPECT_EQ(tree.select()->mask, LaneMask(0xff));
}

TEST_F(PathTreeTest, ALoopThatLosesLanesKeepsOneMeetingPoint) {
  for (u32 lane = 0; lane < 7; ++lane) {
    const LaneMask leaving = LaneMask::of(lane);
    Path& path = *tree.select();
    diverge(path, {{2, path.mask & ~leaving}, {20, leaving}}, 20);
    ASSERT_EQ(tree.paths().size(), 1u);
    EXPECT_EQ(tree.meetingPoint(*tree.select()), 20u);
  }
  tree.arrive(*tree.select());
  EXPECT_EQ(tree.select()->mask, LaneMask(0xff));
  EXPECT_EQ(tree.meetingPoint(*tree.select()), kNoPc);
}

TEST_F(PathTreeTest, NestedMeetingPointsAtTheSamePlaceEndTogether) {
  diverge(*tree.select(), {{9, LaneMask(0x0f)}, {1, LaneMask(0xf0)}}, 9);
  diverge(*tree.select(), {{5, LaneMask(0x30)}, {2, LaneMask(0xc0)}}, 8);
  diverge(*tree.select(), {{3, LaneMask(0x40)}, {9, LaneMask(0x80)}}, 9);
  EXPECT_EQ(tree.select()->mask, LaneMask(0x40));
  // Lane 7 waits at 9 inside the node at 8; the node at 8 completes only at 8.
  tree.arrive(*tree.select());
  EXPECT_EQ(tree.paths().size(), 2u);
}

TEST_F(PathTreeTest, ExitedLanesAreAwaitedNoLonger) {
  diverge(*tree.select(), {{5, LaneMask(0x0f)}, {1, LaneMask(0xf0)}}, 9);
  tree.exit(*tree.select(), LaneMask(0xf0));
  EXPECT_EQ(tree.lanes(), LaneMask(0x0f));
  tree.arrive(*tree.select());
  EXPECT_EQ(tree.select()->mask, LaneMask(0x0f));
  EXPECT_EQ(tree.select()->pc, 9u);
  tree.exit(*tree.select(), LaneMask(0x0f));
  EXPECT_TRUE(tree.finished());
}

TEST_F(PathTreeTest, ExitOfTheLastMissingLanesOpensTheMeetingPoint) {
  diverge(*tree.select(), {{5, LaneMask(0x0f)}, {1, LaneMask(0xf0)}}, 9);
  tree.arrive(*tree.select());
  tree.exit(*tree.select(), LaneMask(0x0f));
  ASSERT_EQ(tree.paths().size(), 1u);
  EXPECT_EQ(tree.select()->mask, LaneMask(0xf0));
  EXPECT_EQ(tree.select()->pc, 9u);
}

TEST_F(PathTreeTest, RecursionReturnsOnlyThroughRet) {
  ASSERT_TRUE(tree.call(*tree.select(), Pc{50}, Pc{4}));
  ASSERT_TRUE(tree.call(*tree.select(), Pc{50}, Pc{60}));
  EXPECT_EQ(tree.meetingPoint(*tree.select()), kNoPc);
  EXPECT_EQ(tree.ret(*tree.select(), LaneMask::first(8)), LaneMask{});
  EXPECT_EQ(tree.select()->pc, 60u);
  EXPECT_EQ(tree.ret(*tree.select(), LaneMask::first(8)), LaneMask{});
  EXPECT_EQ(tree.select()->pc, 4u);
  EXPECT_EQ(tree.ret(*tree.select(), LaneMask::first(8)), LaneMask(0xff));  // ret outside a call exits
  EXPECT_TRUE(tree.finished());
}

TEST_F(PathTreeTest, EarlyReturnOutOfDivergentCode) {
  ASSERT_TRUE(tree.call(*tree.select(), Pc{50}, Pc{4}));
  diverge(*tree.select(), {{60, LaneMask(0x0f)}, {51, LaneMask(0xf0)}}, 70);
  tree.ret(*tree.select(), LaneMask(0xf0));
  ASSERT_EQ(tree.paths().size(), 1u);
  tree.arrive(*tree.select());
  EXPECT_EQ(tree.select()->pc, 70u);
  EXPECT_EQ(tree.select()->mask, LaneMask(0x0f));
  tree.ret(*tree.select(), LaneMask(0x0f));
  EXPECT_EQ(tree.select()->pc, 4u);
  EXPECT_EQ(tree.select()->mask, LaneMask(0xff));
}

TEST_F(PathTreeTest, ReleasedLanesGoOnAndAreNotExpectedAgain) {
  diverge(*tree.select(), {{5, LaneMask(0x0f)}, {9, LaneMask(0xf0)}}, 9);
  EXPECT_FALSE(tree.releaseWaiting([](Pc pc) { return pc != 9; }));
  EXPECT_TRUE(tree.releaseWaiting([](Pc pc) { return pc == 9; }));
  ASSERT_EQ(tree.paths().size(), 2u);
  EXPECT_EQ(tree.select()->pc, 9u);
  EXPECT_EQ(tree.select()->mask, LaneMask(0xf0));
  tree.exit(*tree.select(), LaneMask(0xf0));
  tree.arrive(*tree.select());
  EXPECT_EQ(tree.select()->mask, LaneMask(0x0f));
  EXPECT_EQ(tree.select()->pc, 9u);
}

TEST_F(PathTreeTest, YieldLetsTheOtherPathRun) {
  diverge(*tree.select(), {{5, LaneMask(0x0f)}, {1, LaneMask(0xf0)}}, 9);
  tree.yield(*tree.select());
  EXPECT_EQ(tree.select()->pc, 5u);
  tree.yield(*tree.select());
  EXPECT_EQ(tree.select()->pc, 1u);
}

TEST_F(PathTreeTest, AWholeWarpIsHeld) {
  diverge(*tree.select(), {{5, LaneMask(0x0f)}, {1, LaneMask(0xf0)}}, 9);
  Path& first = *tree.select();
  first.state = PathState::atBarrier;
  first.barrier = 3;
  EXPECT_TRUE(tree.hasReady());
  tree.holdReady(3);
  EXPECT_FALSE(tree.hasReady());
  EXPECT_EQ(tree.atBarrier(3), LaneMask(0xf0));
  EXPECT_EQ(tree.atBarrier(3, Pc{5}), LaneMask{});
  EXPECT_EQ(tree.atBarrier(2), LaneMask{});
}

TEST_F(PathTreeTest, PathsAtTheSamePlaceMerge) {
  tree.split(*tree.select(), LaneMask(0x0f), Pc{3});
  tree.select()->pc = Pc{0};
  tree.mergeReady();
  ASSERT_EQ(tree.paths().size(), 1u);
  EXPECT_EQ(tree.select()->mask, LaneMask(0xff));
}

TEST_F(PathTreeTest, EndlessRecursionIsRefused) {
  u32 depth = 0;
  while (depth < 1'000'000 && tree.call(*tree.select(), Pc{50}, Pc{4})) ++depth;
  EXPECT_GT(depth, 10'000u);
  EXPECT_LT(depth, 1'000'000u);
}

}  // namespace
}  // namespace warpwright::exec
