// What the link between two halves of L2 lets through, and what a slice answers beside its cache.
#include "mem/partition/crossing_meter.hpp"

#include <gtest/gtest.h>

#include "mem/partition/partner_reads.hpp"

namespace warpwright::mem {
namespace {

TEST(CrossingMeter, LetsBytesThroughInTheirOrder) {
  CrossingMeter meter(32);
  EXPECT_TRUE(meter.isFree({0}));
  EXPECT_EQ(meter.book(40, {0}), 1u);
  EXPECT_EQ(meter.book(40, {0}), 2u) << "80 bytes are there in the third tick";
  EXPECT_FALSE(meter.isFree({2}));
  EXPECT_TRUE(meter.isFree({3}));
  EXPECT_EQ(meter.book(32, {10}), 0u) << "what was not used is lost";
}

TEST(CrossingMeter, WithoutALimitNothingWaits) {
  CrossingMeter meter(0);
  for (u32 i = 0; i < 100; ++i) EXPECT_EQ(meter.book(136, {5}), 0u);
  EXPECT_TRUE(meter.isFree({5}));
}

config::Cache oneSet() {
  config::Cache cache;
  cache.bytes = 256;
  cache.ways = 2;
  cache.lineBytes = 128;
  cache.sectorBytes = 32;
  cache.globalWrites = config::WritePolicy::writeBack;
  return cache;
}

Request read(u64 line, u32 sectors = 0b1111) {
  Request request;
  request.address = GlobalAddress(line * 128);
  request.lineBytes = 128;
  request.sectors = sectors;
  return request;
}

class PartnersReads : public ::testing::Test {
 protected:
  // Looked up; whether DRAM is asked.
  bool asksDram(const Request& request) {
    reads.accept(request);
    EXPECT_TRUE(reads.tick(cache));
    return !reads.misses().empty();
  }
  void dramAnswers() {
    Request response = reads.misses().front();
    reads.misses().pop();
    response.isResponse = true;
    reads.fill(response, cache, now);
  }
  Request answer() {
    const Request first = reads.answers().front();
    reads.answers().pop();
    return first;
  }

  Cache<L2Clock> cache{oneSet(), Atomics::here};
  PartnerReads reads{4};
  L2Tick now{};
};

TEST_F(PartnersReads, AreKeptWhereThereIsAPlace) {
  ASSERT_TRUE(asksDram(read(1)));
  EXPECT_TRUE(reads.answers().empty());
  dramAnswers();
  EXPECT_EQ(answer().address, GlobalAddress(128));
  EXPECT_FALSE(asksDram(read(1))) << "the line is here now";
  EXPECT_TRUE(answer().isResponse);
  EXPECT_TRUE(asksDram(read(2)));
  dramAnswers();
  answer();
  EXPECT_TRUE(reads.quiescent());
}

TEST_F(PartnersReads, WaitForWhatTheCacheIsFetching) {
  cache.accept(read(1), now);
  for (; !cache.peekMiss(); ++now) cache.tick(now);
  Request fetch = cache.takeMiss();
  EXPECT_FALSE(asksDram(read(1)));
  EXPECT_TRUE(reads.answers().empty());
  EXPECT_FALSE(reads.tick(cache)) << "nothing has come";
  fetch.isResponse = true;
  cache.fill(fetch, now);
  for (u32 i = 0; i < 8 && reads.answers().empty(); ++i) {
    cache.tick(++now);
    reads.tick(cache);
  }
  EXPECT_EQ(answer().address, GlobalAddress(128));
}

TEST_F(PartnersReads, AreAnsweredThoughEveryWayIsBeingFetched) {
  for (const u64 line : {1, 2}) {
    cache.accept(read(line), now);
    for (u32 i = 0; i < 4; ++i) cache.tick(now), ++now;
  }
  ASSERT_TRUE(asksDram(read(3)));
  dramAnswers();
  EXPECT_EQ(answer().address, GlobalAddress(3 * 128)) << "it is not kept, but answered";
  EXPECT_TRUE(asksDram(read(3)));
}

// A write-back leaves the cache for the line that makes room.
TEST_F(PartnersReads, DisplaceDirtyLinesWithAWriteBack) {
  for (const u64 line : {1, 2}) {
    Request write = read(line);
    write.type = AccessType::globalWrite;
    write.wholeSectors = write.sectors;
    write.wantsResponse = false;
    cache.accept(write, now);
    for (u32 i = 0; i < 4; ++i) cache.tick(now), ++now;
  }
  ASSERT_EQ(cache.peekMiss(), nullptr);
  ASSERT_TRUE(asksDram(read(3)));
  dramAnswers();
  answer();
  for (u32 i = 0; i < 4 && !cache.peekMiss(); ++i) cache.tick(++now);
  ASSERT_NE(cache.peekMiss(), nullptr);
  EXPECT_EQ(cache.peekMiss()->type, AccessType::writeBack);
  EXPECT_FALSE(asksDram(read(3)));
}

}  // namespace
}  // namespace warpwright::mem
