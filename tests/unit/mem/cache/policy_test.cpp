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

struct Sectors {
  u64 read, written, fetched, filled;
  bool operator==(const Sectors&) const = default;
};
Sectors sectors(const CacheDriver& driver) {
  const CacheStats& stats = driver.cache.statistics();
  return {stats.sectorsRead, stats.sectorsWritten, stats.sectorsFetched, stats.sectorsFilled};
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

// Of a line of four sectors: fetched by a load, read by a second, written by a store.
TEST(CachePolicies, sectorsThatTheDataArrayReadsAndWrites) {
  CacheDriver through(withWrites(config::WritePolicy::writeThrough));
  through.run(load(0, 0b111));
  EXPECT_EQ(sectors(through), (Sectors{0, 0, 3, 3}));
  through.run(load(0, 0b11));
  EXPECT_EQ(sectors(through), (Sectors{2, 0, 3, 3}));
  through.run(store(AccessType::globalWrite, 0, 0b1100));
  EXPECT_EQ(sectors(through), (Sectors{2, 1, 3, 3})) << "the fourth sector is not here";

  CacheDriver evict(withWrites(config::WritePolicy::writeThroughEvict));
  evict.run(load(0, 0b1));
  evict.run(store(AccessType::globalWrite, 0, 0b1));
  EXPECT_EQ(sectors(evict), (Sectors{0, 0, 1, 1}));

  CacheDriver back(withWrites(config::WritePolicy::writeBack));
  back.run(store(AccessType::globalWrite, 0, 0b11));
  EXPECT_EQ(sectors(back), (Sectors{0, 2, 0, 0})) << "whole sectors are not fetched";
  back.run(load(0, 0b11));
  EXPECT_EQ(sectors(back), (Sectors{2, 2, 0, 0}));
}

TEST(CachePolicies, atomicsReadAndWriteTheirSector) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack), Atomics::here);
  driver.run(load(0, 0b1));
  driver.run(access(AccessType::atomic, 0, 0b1));
  EXPECT_EQ(sectors(driver), (Sectors{1, 1, 1, 1}));
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

// Bytes [from, from + count) of sector 0.
Request partOf(AccessType type, u64 address, u32 from, u32 count) {
  Request write = store(type, address, 0b1);
  write.wholeSectors = 0;
  write.written[0] = static_cast<u32>(lowBits(count) << from);
  return write;
}

TEST(CachePolicies, lazyWritesOfPartsFetchNothingUntilRead) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy));
  driver.run(partOf(AccessType::globalWrite, 0, 4, 8));
  EXPECT_TRUE(driver.sentDown.empty());
  driver.run(load(0, 0b0011));
  ASSERT_EQ(driver.sentDown.size(), 1u);
  EXPECT_EQ(driver.sentDown[0].sectors, 0b0011u) << "the sector written in part, too";
  EXPECT_EQ(driver.sentDown[0].written, SectorBytes{});
  driver.run(load(0, 0b0001));
  EXPECT_EQ(hits(driver), 1u) << "both together are the sector";
  driver.cache.flush();
  driver.drain();
  ASSERT_EQ(driver.sentDown.size(), 2u);
  EXPECT_EQ(driver.sentDown[1].sectors, 0b0001u) << "fetching does not clean it";
  EXPECT_EQ(driver.sentDown[1].wholeSectors, 0b0001u);
}

TEST(CachePolicies, lazyWritesThatTogetherCoverASectorAreRead) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy));
  for (u32 from = 0; from < 32; from += 4) {
    driver.run(partOf(AccessType::globalWrite, 0, from, 4));
    EXPECT_EQ(hits(driver), 0u);
  }
  driver.run(load(0, 0b0001));
  EXPECT_TRUE(driver.sentDown.empty());
  EXPECT_EQ(hits(driver), 1u);
  EXPECT_EQ(driver.cache.statistics().sectorsDirtied, 1u);
}

TEST(CachePolicies, lazyWritesGoBelowByTheirMask) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy));
  driver.run(partOf(AccessType::globalWrite, 0, 0, 4));
  driver.run(partOf(AccessType::globalWrite, 0, 30, 2));
  driver.run(store(AccessType::globalWrite, 0, 0b0100));
  driver.run(store(AccessType::globalWrite, 512));
  driver.run(store(AccessType::globalWrite, 1024));  // the third line of a set of two
  ASSERT_EQ(driver.sentDown.size(), 1u);
  const Request& back = driver.sentDown[0];
  EXPECT_EQ(back.type, AccessType::writeBack);
  EXPECT_EQ(back.sectors, 0b0101u);
  EXPECT_EQ(back.wholeSectors, 0b0100u);
  EXPECT_EQ(back.written, (SectorBytes{0xc000'000f}));
  driver.run(load(512 * 3, 0b1));
  driver.run(load(0, 0b1));
  EXPECT_EQ(driver.sentDown.back().sectors, 0b1u) << "a new line in the old place knows nothing of the mask";
}

// What the sender says about requests of smaller lines is moved to where they lie.
TEST(CachePolicies, lazyWritesOfSmallerLinesFindTheirSector) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy));
  for (u32 from = 0; from < 32; from += 16) {
    Request write = partOf(AccessType::globalWrite, 64, from, 16);
    write.lineBytes = 32;
    driver.run(write);
  }
  driver.run(load(0, 0b0100));
  EXPECT_EQ(hits(driver), 1u);
  EXPECT_TRUE(driver.sentDown.empty());
}

// Nobody knows which bytes: however many such writes come, the sector is fetched when it is read.
TEST(CachePolicies, lazyWritesOfUnknownBytesNeverCoverASector) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy));
  Request write = store(AccessType::globalWrite, 0, 0b1);
  write.wholeSectors = 0;
  for (int time = 0; time < 3; ++time) driver.run(write);
  driver.run(load(0, 0b1));
  EXPECT_EQ(driver.sentDown.size(), 1u);
}

TEST(CachePolicies, lazyWritesDoNotWaitForAFetch) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy));
  driver.access(load(0, 0b1));
  Request write = partOf(AccessType::globalWrite, 0, 0, 4);
  write.wantsResponse = true;
  write.id = 9;
  driver.access(write);
  ASSERT_EQ(driver.ticksToResponse(), 10u) << "before what is fetched is there";
  EXPECT_EQ(driver.cache.takeResponse().id, 9u);
  driver.drain();
  driver.run(load(0, 0b1));
  EXPECT_EQ(hits(driver), 1u);
  driver.cache.flush();
  driver.drain();
  EXPECT_EQ(driver.sentDown.back().wholeSectors, 0b1u);
}

TEST(CachePolicies, atomicsOnLazilyWrittenSectorsFetchThem) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy), Atomics::here);
  driver.run(partOf(AccessType::globalWrite, 0, 0, 4));
  driver.run(access(AccessType::atomic, 0, 0b1, 42));
  ASSERT_EQ(driver.sentDown.size(), 1u);
  EXPECT_EQ(driver.sentDown[0].type, AccessType::globalRead);
  EXPECT_EQ(driver.sentDown[0].sectors, 0b1u);
}

TEST(CachePolicies, droppedSectorsForgetTheirMask) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackLazy));
  driver.run(partOf(AccessType::globalWrite, 0, 0, 16));
  EXPECT_EQ(driver.cache.drop(GlobalAddress(0), 0b1), 0b1u);
  EXPECT_FALSE(driver.cache.holds(GlobalAddress(0)));
  driver.run(partOf(AccessType::globalWrite, 0, 16, 16));
  driver.run(load(0, 0b1));
  EXPECT_EQ(driver.sentDown.size(), 1u);
  driver.run(store(AccessType::globalWrite, 256, 0b10));
  driver.run(partOf(AccessType::globalWrite, 256, 0, 16));
  driver.cache.drop(GlobalAddress(256), 0b1);
  driver.run(partOf(AccessType::globalWrite, 256, 16, 16));
  driver.run(load(256, 0b1));
  EXPECT_EQ(driver.sentDown.size(), 2u) << "the line has stayed, the mask has not";
  driver.run(partOf(AccessType::globalWrite, 128, 0, 4));
  driver.run(store(AccessType::globalWrite, 128, 0b10));
  driver.cache.drop(GlobalAddress(128), 0b10);
  EXPECT_TRUE(driver.cache.holds(GlobalAddress(128))) << "the sector written in part is still dirty";
}

TEST(CachePolicies, writeThroughAllocateKeepsWhatItWrites) {
  CacheDriver driver(withWrites(config::WritePolicy::writeThroughAllocate));
  driver.run(store(AccessType::globalWrite, 0, 0b0011));
  driver.run(partOf(AccessType::globalWrite, 128, 0, 4));
  ASSERT_EQ(driver.sentDown.size(), 2u) << "all of them go below";
  EXPECT_EQ(driver.sentDown[1], partOf(AccessType::globalWrite, 128, 0, 4));
  driver.run(load(0, 0b0011));
  EXPECT_EQ(hits(driver), 1u);
  driver.run(load(128, 0b1));
  ASSERT_EQ(driver.sentDown.size(), 3u);
  EXPECT_EQ(driver.sentDown[2].sectors, 0b1u);
  driver.cache.flush();
  driver.drain();
  EXPECT_EQ(driver.sentDown.size(), 3u) << "nothing is dirty";
}

TEST(CachePolicies, writeBackNoAllocateWritesLinesThatAreThere) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBackNoAllocate));
  driver.run(store(AccessType::localWrite, 0));
  ASSERT_EQ(driver.sentDown.size(), 1u);
  EXPECT_EQ(driver.sentDown[0], store(AccessType::localWrite, 0));
  driver.run(access(AccessType::localRead, 0));
  EXPECT_EQ(hits(driver), 0u);
  driver.run(store(AccessType::localWrite, 0, 0b1));
  EXPECT_EQ(driver.sentDown.size(), 2u) << "it stays";
  driver.cache.flush();
  driver.drain();
  EXPECT_EQ(driver.sentDown.back().type, AccessType::writeBack);
}

TEST(CachePolicies, placedSectorsAreThereAndClean) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack));
  driver.run(store(AccessType::localWrite, 0, 0b0001));
  EXPECT_TRUE(driver.cache.place(GlobalAddress(0), 0b0011, {driver.now()}));
  driver.run(load(0, 0b0011));
  EXPECT_EQ(hits(driver), 1u);
  driver.cache.flush();
  driver.drain();
  EXPECT_TRUE(driver.sentDown.empty());
  driver.access(load(128, 0b1));
  EXPECT_FALSE(driver.cache.place(GlobalAddress(128), 0b1, {driver.now()})) << "on its way";
}

TEST(CachePolicies, touchedSectorsAreThereAndDirtyWhereTheyWereStored) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack));
  EXPECT_TRUE(driver.cache.touch({GlobalAddress(0), 0b0011, 0b0010}, {driver.now()}));
  driver.run(load(0, 0b0011));
  EXPECT_EQ(hits(driver), 1u);
  // What was dirty stays so.
  EXPECT_TRUE(driver.cache.touch({GlobalAddress(0), 0b0110, 0b0100}, {driver.now()}));
  driver.cache.flush();
  driver.drain();
  ASSERT_EQ(driver.sentDown.size(), 1u);
  EXPECT_EQ(driver.sentDown.back().type, AccessType::writeBack);
  EXPECT_EQ(driver.sentDown.back().sectors, 0b0110u);
  stats::Conservation laws;
  checkAtRest(driver.cache.statistics(), laws);
  EXPECT_TRUE(laws.violations().empty());
  driver.access(load(128, 0b1));
  EXPECT_FALSE(driver.cache.touch({GlobalAddress(128), 0b1, 0}, {driver.now()})) << "on its way";
}

TEST(CachePolicies, touchedSectorsAreCleanWhereWritesGoBelow) {
  CacheDriver driver(withWrites(config::WritePolicy::writeThrough));
  EXPECT_TRUE(driver.cache.touch({GlobalAddress(0), 0b0011, 0b0011}, {driver.now()}));
  driver.run(load(0, 0b0011));
  EXPECT_EQ(hits(driver), 1u);
  driver.cache.flush();
  driver.drain();
  EXPECT_TRUE(driver.sentDown.empty());
}

// The line that was touched longest ago makes room.
TEST(CachePolicies, touchedLinesLeaveInTheOrderOfTheirTouches) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack));
  const config::Cache shape = withWrites(config::WritePolicy::writeBack);
  const u64 apart = shape.bytes / shape.ways;
  for (u64 line = 0; line <= shape.ways; ++line) EXPECT_TRUE(driver.cache.touch({GlobalAddress(line * apart), 0b1, 0}, {driver.now()}));
  EXPECT_FALSE(driver.cache.holds(GlobalAddress(0)));
  for (u64 line = 1; line <= shape.ways; ++line) EXPECT_TRUE(driver.cache.holds(GlobalAddress(line * apart)));
}

TEST(CachePolicies, aDisplacedDirtyLineGoesBelowWithItsWriter) {
  CacheDriver driver(withWrites(config::WritePolicy::writeBack));
  Request write = store(AccessType::localWrite, 512, 0b1000);
  write.origin = {.launch = 5, .pc = Pc{9}, .block = 6, .sm = 2, .slot = 1};
  driver.run(write);
  write.origin = {.launch = 5, .pc = Pc{17}, .block = 8, .sm = 7, .slot = 3};
  write.memoryPort = 3;
  driver.run(write);
  driver.run(load(0));
  driver.run(load(1024));
  ASSERT_EQ(driver.sentDown.size(), 3u);
  const Request& writeBack = driver.sentDown[1];
  EXPECT_EQ(writeBack.type, AccessType::writeBack);
  EXPECT_EQ(writeBack.address, 512u);
  EXPECT_EQ(writeBack.sectors, 0b1000u);
  EXPECT_EQ(writeBack.wholeSectors, 0b1000u);
  EXPECT_EQ(writeBack.origin, write.origin) << "the last one";
  EXPECT_EQ(writeBack.memoryPort, 3u);
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
  write.origin.sm = 3;
  driver.access(write);
  driver.tick(5);
  EXPECT_EQ(driver.cache.peekResponse(), nullptr) << "not before it comes from below";
  driver.fill(driver.cache.takeMiss());
  ASSERT_EQ(driver.ticksToResponse(), 1u);
  EXPECT_EQ(driver.cache.peekResponse()->id, 77u);
  EXPECT_EQ(driver.cache.peekResponse()->origin.sm, 3u);
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
