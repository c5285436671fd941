// An access that lacks a resource stays at the head of the queue and is counted once a tick, under its cause.
#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

// Offers `blocked` in a tick of its own, makes `ticks` ticks in all, and returns the refusals counted.
RefusalStats refusalsOf(CacheDriver& driver, const Request& blocked, u64 ticks) {
  driver.access(blocked);
  driver.tick(ticks - 1);
  return driver.cache.statistics({driver.now()}).refusals;
}

TEST(CacheRefusals, mshrsFull) {
  config::Cache config = testCache();
  config.mshrs = 1;
  CacheDriver driver(config);
  driver.access(load(0));
  const RefusalStats refusals = refusalsOf(driver, load(128), 7);
  EXPECT_EQ(refusals.mshrsFull[AccessType::globalRead], 7u);
  // The entry is free once its access has been answered; then the next tick processes the other.
  driver.fill(driver.cache.takeMiss());
  ASSERT_EQ(driver.ticksToResponse(), 4u);
  driver.cache.takeResponse();
  driver.tick();
  EXPECT_EQ(driver.cache.statistics().accesses.total(), 2u);
}

TEST(CacheRefusals, mergeLimit) {
  config::Cache config = testCache();
  config.mergesPerMshr = 2;
  CacheDriver driver(config);
  driver.access(load(0));
  driver.access(load(0));
  EXPECT_EQ(refusalsOf(driver, access(AccessType::textureRead, 0), 5).mergeLimit[AccessType::textureRead], 5u);
}

TEST(CacheRefusals, noLine) {
  CacheDriver driver(testCache());
  driver.access(load(0));
  driver.access(load(512));
  EXPECT_EQ(refusalsOf(driver, load(1024), 4).noLine.total(), 4u) << "both ways of set 0 are on their way";
}

TEST(CacheRefusals, missQueueFull) {
  config::Cache config = testCache();
  config.missQueue = 2;
  CacheDriver driver(config);
  driver.access(load(0));
  driver.access(load(128));
  EXPECT_EQ(refusalsOf(driver, load(256), 6).missQueueFull.total(), 6u);
}

// A miss that displaces a dirty line needs two places.
TEST(CacheRefusals, missQueueWithoutRoomForTheWriteBack) {
  config::Cache config = testCache();
  config.missQueue = 2;
  CacheDriver driver(config);
  driver.run(store(AccessType::localWrite, 0));
  driver.run(store(AccessType::localWrite, 512));
  driver.access(load(128));
  EXPECT_EQ(refusalsOf(driver, load(1024), 3).missQueueFull.total(), 3u);
  EXPECT_EQ(driver.cache.statistics().writeBacks, 0u) << "not before both fit";
  driver.tick(2);
  driver.cache.takeMiss();
  driver.tick(4);
  ASSERT_NE(driver.cache.peekMiss(), nullptr);
  EXPECT_EQ(driver.cache.takeMiss().type, AccessType::writeBack) << "the line goes before what takes its place";
  EXPECT_EQ(driver.cache.takeMiss().address, 1024u);
}

TEST(CacheRefusals, responseQueueFull) {
  config::Cache config = testCache();
  config.hitLatency = 2;
  config.inputQueue = 16;
  CacheDriver driver(config);
  driver.run(load(0));
  for (int i = 0; i < 3; ++i) driver.access(load(0));
  EXPECT_EQ(refusalsOf(driver, load(0), 9).responseQueueFull.total(), 9u) << "3 hits = (latency + 1) x ports wait to be taken";
}

// The blocked ticks count although nobody makes them.
TEST(CacheRefusals, countInSkippedTicks) {
  config::Cache config = testCache();
  config.mshrs = 1;
  CacheDriver driver(config);
  driver.access(load(0));
  driver.cache.accept(load(128), {driver.now()});
  driver.cache.tick({driver.now()});
  EXPECT_EQ(driver.cache.statistics({driver.now() + 100}).refusals.mshrsFull.total(), 100u);
}

TEST(CacheRefusals, leaveNoTrace) {
  config::Cache config = testCache();
  config.mshrs = 1;
  CacheDriver driver(config);
  driver.access(load(0));
  refusalsOf(driver, load(128), 50);
  EXPECT_EQ(driver.cache.statistics().accesses.total(), 1u);
  EXPECT_EQ(driver.cache.statistics().evictions, 0u);
}

}  // namespace
}  // namespace warpwright::mem
