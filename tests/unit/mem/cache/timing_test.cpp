// Exact times: not ready at t - 1, ready at t.
#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

TEST(CacheTiming, aHitAnswersAfterItsLatency) {
  CacheDriver driver(testCache());
  driver.run(load(0));
  driver.access(load(0));  // the tick of the acceptance is made: 10 more show the response
  EXPECT_EQ(driver.ticksToResponse(), 10u);
}

// Booked in the tick before, as by who asks after the tick is made.
TEST(CacheTiming, aBookedHitIsWhatAnAcceptedOneWouldBe) {
  CacheDriver booking(testCache()), accepting(testCache());
  booking.run(load(0));
  accepting.run(load(0));
  const auto booked = booking.cache.bookHit(load(0), {booking.now() - 1});
  ASSERT_TRUE(booked);
  accepting.cache.accept(load(0), {accepting.now() - 1});
  accepting.tick();
  ASSERT_TRUE(accepting.ticksToResponse());
  EXPECT_EQ(booked->ticks, accepting.now() - 1);
  accepting.cache.takeResponse();
  const CacheStats& one = booking.cache.statistics();
  const CacheStats& other = accepting.cache.statistics();
  EXPECT_EQ(one.accesses, other.accesses);
  EXPECT_EQ(one.hits, other.hits);
  EXPECT_EQ(one.latency, other.latency);
  EXPECT_EQ(one.inputQueueTicks, other.inputQueueTicks);
  EXPECT_EQ(one.bytesFromAbove, other.bytesFromAbove);
  EXPECT_EQ(one.bytesToAbove, other.bytesToAbove);
}

TEST(CacheTiming, onlyASureHitIsBooked) {
  CacheDriver driver(testCache());
  driver.run(load(0));
  driver.run(load(512));  // the same set
  EXPECT_FALSE(driver.cache.bookHit(load(1024), {driver.now()})) << "a miss";
  EXPECT_FALSE(driver.cache.bookHit(store(AccessType::globalWrite, 0), {driver.now()})) << "a write";
  EXPECT_TRUE(driver.cache.bookHit(load(0), {driver.now()}));
  driver.run(load(1024));
  EXPECT_TRUE(driver.cache.bookHit(load(0), {driver.now()})) << "it was used last: the other line had to go";
  EXPECT_FALSE(driver.cache.bookHit(load(512), {driver.now()}));
  driver.cache.accept(load(0), {driver.now()});
  EXPECT_FALSE(driver.cache.bookHit(load(0), {driver.now()})) << "behind another access";
}

TEST(CacheTiming, aMissLeavesAfterTheTagLookUp) {
  CacheDriver driver(testCache());
  driver.access(load(0));
  EXPECT_EQ(driver.ticksToMiss(), 3u);
}

// 128 bytes at 32 a tick are written in the ticks t … t + 3; the response is ready at t + 4.
TEST(CacheTiming, aFillTakesItsBandwidth) {
  CacheDriver driver(testCache());
  driver.access(load(0));
  driver.tick(5);
  driver.fill(driver.cache.takeMiss());
  EXPECT_EQ(driver.ticksToResponse(), 4u);
}

// --- sectors that come along

Request loadAlong(u32 sectors, u32 along) {
  Request request = load(0, sectors);
  request.along = static_cast<u8>(along);
  return request;
}

TEST(CacheTiming, aMissAsksForWhatIsToComeAlong) {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  CacheDriver driver(config);
  driver.access(loadAlong(0b0001, 0b0110));
  driver.tick(5);
  const Request fetch = driver.cache.takeMiss();
  EXPECT_EQ(fetch.sectors, 0b0111u);
  EXPECT_EQ(fetch.along, 0u);
  driver.fill(fetch);
  driver.drain();
  driver.run(load(0, 0b0110));
  EXPECT_EQ(driver.cache.statistics().hits.total(), 1u);
  EXPECT_EQ(driver.cache.statistics().fetches, 1u);
}

TEST(CacheTiming, aHitAsksForNothing) {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  CacheDriver driver(config);
  driver.run(load(0, 0b0001));
  driver.run(loadAlong(0b0001, 0b1110));
  EXPECT_EQ(driver.cache.statistics().fetches, 1u);
  driver.access(loadAlong(0b0010, 0b1101));
  driver.tick(5);
  EXPECT_EQ(driver.cache.takeMiss().sectors, 0b1110u) << "but not for what is there";
}

// Nothing keeps what comes along.
TEST(CacheTiming, withoutLinesNothingComesAlong) {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  config.bytes = 0;
  CacheDriver driver(config);
  driver.access(loadAlong(0b0001, 0b0110));
  driver.tick(5);
  EXPECT_EQ(driver.cache.takeMiss().sectors, 0b0001u);
}

TEST(CacheTiming, aFillOfOneSectorTakesOneTick) {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  CacheDriver driver(config);
  driver.access(load(0, 0b0100));
  driver.tick(5);
  EXPECT_EQ(driver.cache.peekMiss()->sectors, 0b0100u);
  driver.fill(driver.cache.takeMiss());
  EXPECT_EQ(driver.ticksToResponse(), 1u);
}

TEST(CacheTiming, theFillPortIsBusyMeanwhile) {
  CacheDriver driver(testCache());
  driver.access(load(0));
  driver.access(load(128));
  driver.tick(5);
  driver.fill(driver.cache.takeMiss());
  Request second = driver.cache.takeMiss();
  second.isResponse = true;
  for (int made = 1; made < 4; ++made, driver.tick()) EXPECT_FALSE(driver.cache.canFill(second)) << made << " ticks";
  EXPECT_TRUE(driver.cache.canFill(second));
}

// Accesses that one line answers come out in order, all in the tick of the fill.
TEST(CacheTiming, mergedAccessesAreAnsweredTogether) {
  CacheDriver driver(testCache());
  for (u32 id = 0; id < 3; ++id) driver.access(load(0, 1u << id, id));
  driver.tick(5);
  const Request fetch = driver.cache.takeMiss();
  EXPECT_EQ(driver.cache.peekMiss(), nullptr) << "one fetch serves all";
  driver.fill(fetch);
  EXPECT_EQ(driver.ticksToResponse(), 4u);
  for (u32 id = 0; id < 3; ++id) {
    ASSERT_NE(driver.cache.peekResponse(), nullptr);
    EXPECT_EQ(driver.cache.takeResponse().id, id);
  }
  EXPECT_EQ(driver.cache.statistics().misses.total(), 1u);
  EXPECT_EQ(driver.cache.statistics().merges.total(), 2u);
}

// Accepted in ticks 0, 1 and 2, all answered in tick 9: the fill comes in tick 6 and takes 4. The MSHR is in use from tick 0 to 10.
TEST(CacheTiming, latenciesAreCounted) {
  CacheDriver driver(testCache());
  for (u32 id = 0; id < 3; ++id) driver.access(load(0, 1u << id, id));
  driver.tick(3);
  driver.fill(driver.cache.takeMiss());
  EXPECT_EQ(driver.ticksToResponse(), 4u);
  EXPECT_EQ(driver.now(), 11u);
  EXPECT_EQ(driver.cache.statistics().latency.count(), 3u);
  EXPECT_EQ(driver.cache.statistics().latency.sum(), 10u + 9u + 8u);
  EXPECT_EQ(driver.cache.statistics().fetchLatency.sum(), 10u);
  EXPECT_EQ(driver.cache.statistics().mshrsUsed.value, 1u);
  for (u32 id = 0; id < 3; ++id) driver.cache.takeResponse();
  driver.run(load(0));
  EXPECT_EQ(driver.cache.statistics().latency.count(), 4u);
  EXPECT_EQ(driver.cache.statistics().latency.sum(), 27u + 10u) << "a hit";
  driver.access(load(128));
  driver.access(load(256));
  driver.drain();
  EXPECT_EQ(driver.cache.statistics().mshrsUsed.value, 2u);
}

// Sectors of one line come one by one; an access waits for its own, all of them and no others.
TEST(CacheTiming, anAccessWaitsForItsOwnSectors) {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  CacheDriver driver(config);
  driver.access(load(0, 0b0001, 10));
  driver.access(load(0, 0b0010, 11));
  driver.access(load(0, 0b0011, 12));
  driver.tick(5);
  const Request first = driver.cache.takeMiss(), second = driver.cache.takeMiss();
  EXPECT_EQ(driver.cache.peekMiss(), nullptr);
  driver.fill(second);
  ASSERT_EQ(driver.ticksToResponse(), 1u);
  EXPECT_EQ(driver.cache.takeResponse().id, 11u);
  driver.tick(20);
  EXPECT_EQ(driver.cache.peekResponse(), nullptr);
  driver.fill(first);
  ASSERT_EQ(driver.ticksToResponse(), 1u);
  EXPECT_EQ(driver.cache.takeResponse().id, 10u);
  EXPECT_EQ(driver.cache.takeResponse().id, 12u);
  EXPECT_TRUE(driver.cache.quiescent());
}

TEST(CacheTiming, portsLimitTheAccessesOfATick) {
  for (const u32 ports : {1u, 2u, 4u}) {
    config::Cache config = testCache();
    config.ports = ports;
    CacheDriver driver(config);
    driver.run(load(0));
    for (u32 id = 0; id < 8; ++id) driver.cache.accept(load(0, 0xf, id), {driver.now()});
    driver.tick(8 / ports + 10);  // the last accesses are processed in tick 8 / ports - 1
    u32 ready = 0;
    for (; driver.cache.peekResponse(); ++ready) driver.cache.takeResponse();
    EXPECT_EQ(ready, 8u) << ports << " ports";
    EXPECT_EQ(driver.cache.statistics().inputQueueTicks, 8 / ports * (8 / ports - 1) / 2 * ports) << ports << " ports";
  }
}

TEST(CacheTiming, accessesToOneBankTakeTurns) {
  config::Cache config = testCache();
  config.ports = 2;
  config.banks = 2;
  CacheDriver driver(config);
  driver.run(load(0));
  driver.run(load(128));
  driver.run(load(256));
  driver.cache.accept(load(0), {driver.now()});
  driver.cache.accept(load(128), {driver.now()});
  driver.tick();
  EXPECT_EQ(driver.cache.statistics().hits.total(), 2u) << "banks 0 and 1";
  driver.cache.accept(load(0), {driver.now()});
  driver.cache.accept(load(256), {driver.now()});
  driver.tick();
  EXPECT_EQ(driver.cache.statistics().hits.total(), 3u) << "bank 0 twice";
  driver.tick();
  EXPECT_EQ(driver.cache.statistics().hits.total(), 4u);
  EXPECT_EQ(driver.cache.statistics().refusals.bankConflict.total(), 1u);
}

TEST(CacheTiming, sleepsUntilAResponseIsReady) {
  CacheDriver driver(testCache());
  driver.run(load(0));
  driver.tick();
  EXPECT_EQ(driver.cache.nextUseful({driver.now() - 1}), kNever);
  const u64 accepted = driver.now();
  driver.access(load(0));
  EXPECT_EQ(driver.cache.nextUseful({accepted}).ticks, accepted + 10);
}

}  // namespace
}  // namespace warpwright::mem
