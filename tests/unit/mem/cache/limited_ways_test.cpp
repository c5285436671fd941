// Caches of which a part serves something else for a time.
#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

// Lines of one set.
u64 lineOfSet(u32 number) { return u64{number} * 4 * 128; }

config::Cache fourWays() {
  config::Cache cache = testCache();
  cache.bytes *= 2;
  cache.ways = 4;
  return cache;
}

u64 hitsOfLines(CacheDriver& driver, u32 lines) {
  const u64 before = driver.cache.statistics().hits.total();
  for (u32 i = 0; i < lines; ++i) driver.run(load(lineOfSet(i)));
  return driver.cache.statistics().hits.total() - before;
}

TEST(LimitedWays, HoldAsManyLinesOfASet) {
  CacheDriver driver(fourWays());
  driver.cache.limitWays(2);
  EXPECT_EQ(hitsOfLines(driver, 2), 0u);
  EXPECT_EQ(hitsOfLines(driver, 2), 2u);
  EXPECT_EQ(hitsOfLines(driver, 3), 2u);
  EXPECT_EQ(hitsOfLines(driver, 3), 0u) << "each displaces what is needed next";
  driver.cache.limitWays(4);
  EXPECT_EQ(hitsOfLines(driver, 4), 0u) << "a new limit begins with an empty cache";
  EXPECT_EQ(hitsOfLines(driver, 4), 4u);
}

TEST(LimitedWays, ThereAreNoMoreThanTheCacheHas) {
  CacheDriver driver(fourWays());
  driver.cache.limitWays(64);
  EXPECT_EQ(hitsOfLines(driver, 4), 0u);
  EXPECT_EQ(hitsOfLines(driver, 4), 4u);
}

// A line on its way into a way that is taken away answers who waits for it, and leaves.
TEST(LimitedWays, WhatIsUnderWayIsAnswered) {
  CacheDriver driver(fourWays());
  for (u32 i = 0; i < 3; ++i) driver.run(load(lineOfSet(i)));
  driver.access(load(lineOfSet(3)));
  driver.cache.limitWays(2);
  driver.drain();
  EXPECT_EQ(driver.cache.statistics().misses.total(), 4u);
  EXPECT_FALSE(driver.cache.holds(GlobalAddress(lineOfSet(3))));
  EXPECT_EQ(hitsOfLines(driver, 2), 0u);
  EXPECT_EQ(hitsOfLines(driver, 2), 2u);
}

}  // namespace
}  // namespace warpwright::mem
