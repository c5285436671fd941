// Signature-based hit prediction, event by event, and in a cache that streams would sweep.
#include "mem/cache/replacement/ship.hpp"

#include <gtest/gtest.h>

#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

constexpr WaySet kWays = WaySet::first(4);

class ShipTest : public ::testing::Test {
 protected:
  void displace(u32 way, u32 pc) {
    policy.left(0, way, true);
    policy.installed(0, way, by(pc));
  }
  void SetUp() override {
    for (u32 way = 0; way < 4; ++way) policy.installed(0, way, by(1));  // all with the interval 2; counter of pc 1: 1
  }
  Ship policy{{}, {1, 4}};
};

TEST_F(ShipTest, ALineThatWasHitStaysLongest) {
  policy.touched(0, 0, by(1), true);
  EXPECT_EQ(policy.victim(0, kWays), 1u);
  EXPECT_EQ(policy.victim(0, WaySet(0b1001)), 3u) << "among the candidates";
}

// A line of pc 1 that leaves unused takes its counter to 0: its next line comes with the largest interval and goes first.
TEST_F(ShipTest, LinesOfAnInstructionWhoseLinesLeaveUnusedGoFirst) {
  displace(2, 1);  // unused: counter of pc 1 from 1 to 0; the others grow from 2 to 3
  EXPECT_EQ(policy.victim(0, kWays), 0u) << "all are as old as can be";
  displace(0, 5);  // by another, with 2
  displace(1, 5);
  displace(3, 5);
  EXPECT_EQ(policy.victim(0, kWays), 2u);
  displace(2, 1);
  EXPECT_EQ(policy.victim(0, kWays), 2u) << "again, though it is the youngest";
  policy.touched(0, 2, by(1), true);  // counter of pc 1: 1
  displace(0, 1);
  EXPECT_EQ(policy.victim(0, WaySet(0b0011)), 1u) << "it comes with 2 now; the other has grown to 3";
}

TEST_F(ShipTest, LinesThatAreDroppedTeachNothing) {
  policy.left(0, 2, false);
  policy.installed(0, 2, by(1));
  EXPECT_EQ(policy.victim(0, kWays), 0u) << "it comes with 2, as the others did";
}

// One set of four: two lines that are used in every round, and four that never are again.
u64 hitsOf(const char* replacement) {
  config::Cache config = testCache();
  config.bytes = 512;
  config.ways = 4;
  config.replacement = replacement;
  CacheDriver driver(config);
  constexpr u32 kRounds = 20;
  for (u64 round = 0; round < kRounds; ++round) {
    for (const u64 line : {0u, 1u, 0u, 1u}) driver.run(by(1, load(line * 128)));
    for (u64 line = 0; line < 4; ++line) driver.run(by(2, load((100 + 4 * round + line) * 128)));
  }
  return driver.cache.statistics().hits.total();
}

TEST(Ship, KeepsWhatIsUsedAgainFromStreams) {
  EXPECT_EQ(hitsOf("lru"), 20u * 2) << "the second use of each round";
  EXPECT_GE(hitsOf("ship"), 20u * 4 - 2 - 2 * 3) << "but for the first uses, and what the first streams sweep";
}

}  // namespace
}  // namespace warpwright::mem
