// Data that travel in another size than their sectors, and how caches keep them.
#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mem {
namespace {

Request encoded(Request request, u8 encoding, u8 pieces) {
  request.encoding = encoding;
  request.pieces = pieces;
  return request;
}

config::Cache writeBack() {
  config::Cache config = testCache();
  config.sectorBytes = 32;
  config.globalWrites = config.localWrites = config::WritePolicy::writeBack;
  return config;
}

// A line that came encoded.
class EncodedLine : public ::testing::Test {
 protected:
  void SetUp() override {
    driver.access(load(0));
    ASSERT_TRUE(driver.ticksToMiss());
    driver.fill(encoded(driver.cache.takeMiss(), 7, 1));
    ASSERT_TRUE(driver.ticksToResponse());
    first = driver.cache.takeResponse();
  }
  Request answerTo(const Request& request) {
    driver.access(request);
    EXPECT_TRUE(driver.ticksToResponse());
    return driver.cache.takeResponse();
  }
  // What the cache writes back when all is flushed.
  Request flushed() {
    driver.cache.flush();
    driver.drain();
    EXPECT_EQ(driver.sentDown.size(), 1u);
    return driver.sentDown.empty() ? Request{} : driver.sentDown.back();
  }

  CacheDriver driver{writeBack()};
  Request first;
};

TEST(RequestSize, OnALinkIsItsPieces) {
  Request request = load(0);
  request.isResponse = true;
  EXPECT_EQ(request.wireBytes(), kHeaderBytes + 128);
  request.pieces = 2;
  EXPECT_EQ(request.wireBytes(), kHeaderBytes + 64);
  EXPECT_EQ(request.dataBytes(), 128u) << "what is read is the same";
  request.isResponse = false;
  EXPECT_EQ(request.wireBytes(), kHeaderBytes) << "a read carries nothing down";
  EXPECT_EQ(encoded(store(AccessType::globalWrite, 0), 1, 3).wireBytes(), kHeaderBytes + 96);
}

TEST(CacheEncoding, AFillTakesTheTimeOfItsPieces) {
  CacheDriver driver(testCache());
  driver.access(load(0));
  driver.tick(5);
  driver.fill(encoded(driver.cache.takeMiss(), 1, 2));
  EXPECT_EQ(driver.ticksToResponse(), 2u) << "64 bytes at 32 a tick";
  driver.cache.takeResponse();
  EXPECT_EQ(driver.cache.statistics().bytesFromBelow, kHeaderBytes + 64);
  EXPECT_EQ(driver.cache.statistics().bytesToAbove, kHeaderBytes + 64);
}

TEST(CacheEncoding, AFetchDoesNotSayHowItsDataCome) {
  CacheDriver driver(writeBack());
  driver.access(encoded(load(0), 7, 1));
  ASSERT_TRUE(driver.ticksToMiss());
  const Request fetch = driver.cache.takeMiss();
  EXPECT_EQ(fetch.encoding, 0);
  EXPECT_EQ(fetch.pieces, 0);
}

TEST_F(EncodedLine, IsGivenAsItIsKept) {
  EXPECT_EQ(first.encoding, 7) << "who waited for it";
  EXPECT_EQ(first.pieces, 1);
  const Request hit = answerTo(load(0));
  EXPECT_EQ(hit.encoding, 7);
  EXPECT_EQ(hit.pieces, 1);
}

TEST_F(EncodedLine, IsBookedAsItIsKept) {
  const u64 before = driver.cache.statistics().bytesToAbove;
  ASSERT_TRUE(driver.cache.bookHit(load(0), {driver.now()}));
  EXPECT_EQ(driver.cache.statistics().bytesToAbove - before, kHeaderBytes + 32);
}

TEST_F(EncodedLine, TravelsRawInPart) {
  const Request part = answerTo(load(0, 0b0011));
  EXPECT_EQ(part.encoding, 7) << "how the line is kept";
  EXPECT_EQ(part.pieces, 0);
}

TEST_F(EncodedLine, IsRawOnceAPartIsWritten) {
  driver.run(store(AccessType::globalWrite, 0, 0b0001));
  EXPECT_EQ(answerTo(load(0)).encoding, 0);
  const Request written = flushed();
  EXPECT_EQ(written.encoding, 0);
  EXPECT_EQ(written.pieces, 0);
}

TEST_F(EncodedLine, WrittenAsAWholeIsAsItWasWritten) {
  driver.run(encoded(store(AccessType::globalWrite, 0), 9, 3));
  EXPECT_EQ(answerTo(load(0)).encoding, 9);
  const Request written = flushed();
  EXPECT_EQ(written.encoding, 9);
  EXPECT_EQ(written.pieces, 3);
  EXPECT_EQ(written.wireBytes(), kHeaderBytes + 96);
}

TEST_F(EncodedLine, IsRawOnceAPartIsDropped) {
  driver.cache.drop(GlobalAddress(0), 0b1000);
  EXPECT_EQ(answerTo(load(0, 0b0111)).encoding, 0);
}

TEST_F(EncodedLine, IsRawWhenTheHostHasCopiedToIt) {
  ASSERT_TRUE(driver.cache.place(GlobalAddress(0), 0b1111, {driver.now()}));
  EXPECT_EQ(answerTo(load(0)).encoding, 0);
}

TEST(CacheEncoding, AWriteThatPassesChangesHowTheLineIsKept) {
  config::Cache config = writeBack();
  config.globalWrites = config::WritePolicy::writeThrough;
  CacheDriver driver(config);
  driver.access(load(0));
  ASSERT_TRUE(driver.ticksToMiss());
  driver.fill(encoded(driver.cache.takeMiss(), 7, 1));
  driver.drain();
  driver.run(store(AccessType::globalWrite, 0, 0b0010));
  driver.access(load(0));
  ASSERT_TRUE(driver.ticksToResponse());
  EXPECT_EQ(driver.cache.takeResponse().encoding, 0);
}

TEST(CacheEncoding, AnAtomicLeavesARawLine) {
  CacheDriver driver(writeBack(), Atomics::here);
  driver.access(access(AccessType::atomic, 0));
  ASSERT_TRUE(driver.ticksToMiss());
  driver.fill(encoded(driver.cache.takeMiss(), 7, 1));
  ASSERT_TRUE(driver.ticksToResponse());
  EXPECT_EQ(driver.cache.takeResponse().pieces, 0);
  driver.access(load(0));
  ASSERT_TRUE(driver.ticksToResponse());
  EXPECT_EQ(driver.cache.takeResponse().encoding, 0);
}

// Sectors that come one after another were not encoded together.
TEST(CacheEncoding, ALineOfSeveralFillsIsRaw) {
  CacheDriver driver(writeBack());
  for (const u32 sectors : {0b0001u, 0b0010u}) {
    driver.access(load(0, sectors));
    ASSERT_TRUE(driver.ticksToMiss());
    driver.fill(encoded(driver.cache.takeMiss(), 7, 1));
    ASSERT_TRUE(driver.ticksToResponse());
    EXPECT_EQ(driver.cache.takeResponse().encoding, sectors == 0b0001u ? 7 : 0);
  }
}

}  // namespace
}  // namespace warpwright::mem
