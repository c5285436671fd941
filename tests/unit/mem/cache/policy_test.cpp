// What writes, atomics, invalidation and flushing do to lines and to the traffic below.
#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

config::Cache withWrites(config::WritePolicy policy) {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  config.globalWrites = config.localWrites = policy;
  return config;
}

u64 hits(const CacheDriver& driver) { return driver.cache.statistics().hits.total(); }

TEST(CachePolicies, writeThroughUpdatesTheLine) {
  CacheDriver driver(withWrites(config::WritePolicy::writeThrough));
  driver.run(load(0));
  driver.run(store(AccessType::globalWrite, 0, 0b1));
  ASSERT_EQ(driver.sentDown.size(), 2u);
  EXPECT_EQ(driver.sentDown[1], store(AccessType::globalWrite, 0, 0b1)) << "unchanged";
  driver.run(load(0));
  EXPECT_EQ(hits(driver), 2u) << "the write and the second load";
}

TEST(CachePolicies, writeThroughDoesNotAllocate) {
  CacheDriver driver(withWrites(config::WritePolicy::writeThrough));
  driver.run(store(AccessType::globalWrite, 0));
  driver.run(load(0));
  EXPECT_EQ(hits(driver), 0u);
}

TEST(CachePolicies, writeThroughEvictDropsTheLine) {
  CacheDriver driver(withWrites(config::WritePolicy::writeThroughEvict));
  driver.run(load(0));
  driver.run(store(AccessType::globalWrite, 0, 0b1));
  EXPECT_EQ(driver.cache.statistics().evictions, 1u);
  driver.run(load(0));
  EXPECT_EQ(driver.cache.statistics().misses[AccessType::globalRead], 2u);
}

TEST(CachePolicies, writeThroughEvictDropsALineOnItsWay) {
  CacheDriver driver(withWrites(config::WritePolicy::writeThroughEvict));
  driver.access(load(0));
  driver.access(store(AccessType::globalWrite, 0, 0b1));
  driver.drain();
  driver.run(load(0));
  EXPECT_EQ(driver.cache.statistics().misses[AccessType::globalRead], 2u);
}

TEST(CachePolicies, writeBackOfWholeSectorsFetchesNothing) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack));
  driver.run(store(AccessType::globalWrite, 0, 0b0011));
  EXPECT_TRUE(driver.sentDown.empty());
  driver.run(load(0, 0b0011));
  EXPECT_EQ(hits(driver), 1u);
  driver.run(load(0, 0b0110));
  ASSERT_EQ(driver.sentDown.size(), 1u);
  EXPECT_EQ(driver.sentDown[0].sectors, 0b0100u) << "only what is missing";
}

TEST(CachePolicies, writeBackOfPartsOfSectorsFetchesThem) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack));
  Request write = store(AccessType::localWrite, 0, 0b0011);
  write.wholeSectors = 0b0001;
  driver.run(write);
  ASSERT_EQ(driver.sentDown.size(), 1u);
  EXPECT_EQ(driver.sentDown[0].type, AccessType::localRead);
  EXPECT_EQ(driver.sentDown[0].sectors, 0b0010u);
  driver.cache.flush();
  driver.drain();
  ASSERT_EQ(driver.sentDown.size(), 2u);
  EXPECT_EQ(driver.sentDown[1].type, AccessType::writeBack);
  EXPECT_EQ(driver.sentDown[1].sectors, 0b0011u);
}

TEST(CachePolicies, aDisplacedDirtyLineGoesBelowWithItsWriter) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack));
  Request write = store(AccessType::localWrite, 512, 0b1000);
  write.sm = 7;
  write.partition = 3;
  driver.run(write);
  driver.run(load(0));
  driver.run(load(1024));
  ASSERT_EQ(driver.sentDown.size(), 3u);
  const Request& writeBack = driver.sentDown[1];
  EXPECT_EQ(writeBack.type, AccessType::writeBack);
  EXPECT_EQ(writeBack.address, 512u);
  EXPECT_EQ(writeBack.sectors, 0b1000u);
  EXPECT_EQ(writeBack.wholeSectors, 0b1000u);
  EXPECT_EQ(writeBack.sm, 7u);
  EXPECT_EQ(writeBack.partition, 3u);
  EXPECT_FALSE(writeBack.wantsResponse);
  EXPECT_EQ(driver.cache.statistics().writeBacks, 1u);
}

TEST(CachePolicies, localAndGlobalWritesDiffer) {
  CacheDriver driver(testCache());  // Fermi's L1: global write-through with eviction, local write-back
  driver.run(store(AccessType::localWrite, 0));
  EXPECT_TRUE(driver.sentDown.empty());
  driver.run(store(AccessType::globalWrite, 128));
  EXPECT_EQ(driver.sentDown.size(), 1u);
}

TEST(CachePolicies, atomicsBelowPassAndDropTheLine) {
  CacheDriver driver(testCache());
  driver.run(load(0));
  Request atomic = access(AccessType::atomic, 0, 0b1, 42);
  atomic.operations = 5;
  driver.run(atomic);
  EXPECT_EQ(driver.sentDown.back(), atomic);
  driver.run(load(0));
  EXPECT_EQ(driver.cache.statistics().misses[AccessType::globalRead], 2u);
}

TEST(CachePolicies, atomicsHereFetchAndDirtyTheLine) {
  CacheDriver driver(testCache(), Atomics::here);
  driver.run(access(AccessType::atomic, 0, 0b1, 42));
  ASSERT_EQ(driver.sentDown.size(), 1u);
  EXPECT_EQ(driver.sentDown[0].type, AccessType::globalRead);
  driver.cache.flush();
  driver.drain();
  EXPECT_EQ(driver.sentDown.back().type, AccessType::writeBack);
  EXPECT_EQ(driver.sentDown.back().sectors, 0b1u);
}

TEST(CachePolicies, acknowledgementsOfWritesComeBackWithTheirId) {
  CacheDriver driver(testCache());
  Request write = store(AccessType::globalWrite, 0);
  write.wantsResponse = true;
  write.id = 77;
  write.sm = 3;
  driver.access(write);
  driver.tick(5);
  EXPECT_EQ(driver.cache.peekResponse(), nullptr) << "not before it comes from below";
  driver.fill(driver.cache.takeMiss());
  ASSERT_EQ(driver.ticksToResponse(), 1u);
  EXPECT_EQ(driver.cache.peekResponse()->id, 77u);
  EXPECT_EQ(driver.cache.peekResponse()->sm, 3u);
}

TEST(CachePolicies, invalidationDropsCleanLinesOnly) {
  CacheDriver driver(testCache());
  driver.run(load(0));
  driver.run(store(AccessType::localWrite, 128));
  driver.cache.invalidate();
  driver.run(load(0));
  driver.run(access(AccessType::localRead, 128));
  EXPECT_EQ(driver.cache.statistics().misses[AccessType::globalRead], 2u);
  EXPECT_EQ(driver.cache.statistics().hits[AccessType::localRead], 1u);
}

TEST(CachePolicies, invalidationReachesLinesOnTheirWay) {
  CacheDriver driver(testCache());
  driver.access(load(0));
  driver.cache.invalidate();
  driver.drain();
  driver.run(load(0));
  EXPECT_EQ(driver.cache.statistics().misses.total(), 2u);
}

TEST(CachePolicies, flushedLinesStayClean) {
  CacheDriver driver(testCache());
  driver.run(store(AccessType::localWrite, 0));
  driver.run(store(AccessType::localWrite, 128));
  driver.cache.flush();
  driver.drain();
  EXPECT_EQ(driver.sentDown.size(), 2u);
  driver.cache.flush();
  driver.drain();
  EXPECT_EQ(driver.sentDown.size(), 2u) << "nothing is dirty any more";
  driver.run(access(AccessType::localRead, 0));
  EXPECT_EQ(hits(driver), 1u);
}

TEST(CachePolicies, mshrsWithoutACacheMergeAndForget) {
  config::Cache config = testCache();
  config.bytes = 0;
  CacheDriver driver(config);
  driver.access(load(0));
  driver.access(load(0));
  driver.drain();
  EXPECT_EQ(driver.sentDown.size(), 1u);
  driver.run(load(0));
  EXPECT_EQ(driver.sentDown.size(), 2u);
}

}  // namespace
}  // namespace warpwright::mem
