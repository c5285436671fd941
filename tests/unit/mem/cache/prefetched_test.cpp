// What becomes of lines that prefetches asked for, as the cache counts it.
#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

// Another line of set 0.
constexpr u64 kWay = 512;

Request prefetch(u64 address, u32 sectors = 0xf) {
  Request request = access(AccessType::prefetch, address, sectors);
  request.wantsResponse = false;
  return request;
}

class CachePrefetches : public ::testing::Test {
 protected:
  void expect(const PrefetchStats& expected) {
    EXPECT_EQ(driver.cache.statistics().prefetched, expected);
    stats::Conservation laws;
    checkAtRest(driver.cache.statistics(), laws);
    EXPECT_TRUE(laws.violations().empty());
  }

  CacheDriver driver{testCache()};
};

TEST_F(CachePrefetches, aLineIsUsedOnce) {
  driver.run(prefetch(0));
  expect({.lines = 1});
  driver.run(load(0));
  driver.run(load(0));
  expect({.lines = 1, .used = 1});
}

TEST_F(CachePrefetches, aLineOnItsWayIsLate) {
  driver.access(prefetch(0));
  driver.access(load(0));
  driver.drain();
  driver.run(load(0));
  expect({.lines = 1, .late = 1});
}

TEST_F(CachePrefetches, whatIsThereOrOnItsWayIsNoLineOfAPrefetch) {
  driver.run(load(0));
  driver.run(prefetch(0));
  driver.access(load(128));
  driver.access(prefetch(128));
  driver.drain();
  driver.run(load(128));
  expect({});
}

// Both ways of the set hold prefetched lines; a demand displaces the first.
TEST_F(CachePrefetches, aLineThatLeavesIsUnusedAndThenEarly) {
  driver.run(prefetch(0));
  driver.run(prefetch(kWay));
  driver.run(load(2 * kWay));
  expect({.lines = 2, .unused = 1});
  driver.run(load(0));
  expect({.lines = 2, .unused = 2, .early = 1});
  driver.run(load(kWay));
  expect({.lines = 2, .unused = 2, .early = 2});
}

TEST_F(CachePrefetches, aLineThatAPrefetchDisplacesIsMissed) {
  driver.run(load(0));
  driver.run(load(kWay));
  driver.run(prefetch(2 * kWay));
  driver.run(load(0));
  expect({.lines = 1, .displaced = 1});
  driver.run(load(2 * kWay));
  expect({.lines = 1, .used = 1, .displaced = 1});
}

// A demand that displaces, or a prefetch that brings the line back, is no pollution.
TEST_F(CachePrefetches, onlyDemandsMissWhatPrefetchesDisplace) {
  driver.run(load(0));
  driver.run(load(kWay));
  driver.run(load(2 * kWay));
  driver.run(load(0));
  expect({});
  driver.run(prefetch(kWay));
  driver.run(prefetch(2 * kWay));
  driver.run(load(2 * kWay));
  expect({.lines = 2, .used = 1});
}

TEST_F(CachePrefetches, sectorsThatADemandBroughtAreNotThePrefetchs) {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  CacheDriver sectored(config);
  sectored.run(load(0, 0b0001));
  sectored.run(prefetch(0));
  sectored.run(load(0, 0b0001));
  EXPECT_EQ(sectored.cache.statistics().prefetched, (PrefetchStats{.lines = 1}));
  sectored.run(load(0, 0b0010));
  EXPECT_EQ(sectored.cache.statistics().prefetched, (PrefetchStats{.lines = 1, .used = 1}));
}

TEST_F(CachePrefetches, invalidationLeavesThemUnused) {
  driver.run(prefetch(0));
  driver.cache.invalidate();
  expect({.lines = 1, .unused = 1});
}

}  // namespace
}  // namespace warpwright::mem
