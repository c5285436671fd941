// Bypass by the instruction that asks, event by event, and in caches of both levels.
#include "mem/cache/replacement/pc_bypass.hpp"

#include <gtest/gtest.h>

#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

class PcBypassTest : public ::testing::Test {
 protected:
  // A line of the instruction comes, and leaves unused.
  void waste(u32 pc) {
    policy.installed(0, 0, by(pc));
    policy.left(0, 0, true);
  }
  PcBypass policy{{.tableBits = 4, .counterBits = 2, .sampling = 3}, {1, 2}};
};

TEST_F(PcBypassTest, AnInstructionWhoseLinesLeaveUnusedGoesBy) {
  for (u32 times = 0; times < 3; ++times) {
    EXPECT_FALSE(policy.bypasses(0, by(7))) << times;
    waste(7);
  }
  EXPECT_TRUE(policy.bypasses(0, by(7)));
  EXPECT_TRUE(policy.bypasses(0, by(7 + 16))) << "which shares the counter";
  EXPECT_FALSE(policy.bypasses(0, by(8)));
  EXPECT_FALSE(policy.bypasses(0, load(0))) << "nobody's";
}

TEST_F(PcBypassTest, OneAccessOfSeveralStays) {
  for (u32 times = 0; times < 3; ++times) waste(7);
  policy.bypassed(0, by(7));
  EXPECT_TRUE(policy.bypasses(0, by(7)));
  policy.bypassed(0, by(7));
  EXPECT_FALSE(policy.bypasses(0, by(7))) << "the third";
  policy.installed(0, 0, by(7));
  EXPECT_TRUE(policy.bypasses(0, by(7)));
  policy.touched(0, 0, by(1), true);
  EXPECT_FALSE(policy.bypasses(0, by(7))) << "its line was used, by whomever";
}

TEST_F(PcBypassTest, LinesThatWereUsedOrDroppedTeachNothing) {
  for (u32 times = 0; times < 5; ++times) {
    policy.installed(0, 0, by(7));
    policy.touched(0, 0, by(7), false);
    policy.left(0, 0, true);
    policy.installed(0, 0, by(7));
    policy.left(0, 0, false);
  }
  EXPECT_FALSE(policy.bypasses(0, by(7)));
}

// One set of two. Four lines of pc 7 pass through it, so that two leave unused, which is enough for a counter of one bit.
config::Cache learning(config::WritePolicy writes) {
  config::Cache config = testCache();
  config.bytes = 256;
  config.globalWrites = writes;
  config.replacement = config::Policy(kPcBypass.kind);
  std::any_cast<PcBypassSettings&>(config.replacement.settings).counterBits = 1;
  return config;
}

TEST(PcBypass, AReadThatGoesByLeavesNoLine) {
  CacheDriver driver(learning(config::WritePolicy::writeThroughEvict));
  for (u64 line = 0; line < 4; ++line) driver.run(by(7, load(line * 128)));
  ASSERT_EQ(driver.cache.statistics().bypassed, 1u) << "the fourth";
  const std::vector<Request> before = driver.sentDown;
  EXPECT_FALSE(driver.cache.holds(GlobalAddress(3 * 128)));
  EXPECT_TRUE(driver.cache.holds(GlobalAddress(1 * 128)));
  EXPECT_TRUE(driver.cache.holds(GlobalAddress(2 * 128)));

  driver.access(by(7, load(5 * 128, 0b0100, 99)));
  ASSERT_TRUE(driver.ticksToMiss());
  const Request fetch = driver.cache.takeMiss();
  EXPECT_EQ(fetch.sectors, 0b0100u) << "what it touches, and no more of the line";
  EXPECT_EQ(fetch.origin, by(7).origin);
  driver.fill(fetch);
  ASSERT_TRUE(driver.ticksToResponse());
  const Request answer = driver.cache.takeResponse();
  EXPECT_EQ(answer.id, 99u);
  EXPECT_TRUE(answer.isResponse);
  EXPECT_TRUE(driver.cache.quiescent());
  EXPECT_FALSE(driver.cache.holds(GlobalAddress(5 * 128)));
  EXPECT_EQ(driver.cache.statistics().bypassed, 2u);
  EXPECT_EQ(driver.cache.statistics().evictions, 1u) << "none since it goes by";

  driver.run(by(8, load(5 * 128)));
  EXPECT_TRUE(driver.cache.holds(GlobalAddress(5 * 128))) << "brought by another instruction";
  driver.run(by(7, load(5 * 128)));
  EXPECT_EQ(driver.cache.statistics().hits.total(), 1u) << "what is there is used, by whomever";
}

TEST(PcBypass, AWriteThatGoesByGoesBelowAsItIs) {
  CacheDriver driver(learning(config::WritePolicy::writeBack));
  for (u64 line = 0; line < 3; ++line) driver.run(by(7, store(AccessType::globalWrite, line * 128)));
  ASSERT_EQ(driver.sentDown.size(), 1u) << "the first line written back";
  const Request write = by(7, store(AccessType::globalWrite, 9 * 128, 0b0011));
  driver.run(write);
  EXPECT_EQ(driver.sentDown.back(), write);
  EXPECT_EQ(driver.cache.statistics().bypassed, 1u);
  EXPECT_FALSE(driver.cache.holds(GlobalAddress(9 * 128)));
  stats::Conservation laws;
  checkAtRest(driver.cache.statistics(), laws);
  EXPECT_EQ(laws.violations(), std::vector<std::string>{});
}

TEST(PcBypass, AtomicsNeedTheirLineHere) {
  CacheDriver driver(learning(config::WritePolicy::writeBack), Atomics::here);
  for (u64 line = 0; line < 6; ++line) driver.run(by(7, access(AccessType::atomic, line * 128, 0b1)));
  EXPECT_EQ(driver.cache.statistics().bypassed, 0u);
}

}  // namespace
}  // namespace warpwright::mem
