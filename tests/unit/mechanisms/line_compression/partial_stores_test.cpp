// Stores to parts of lines that lie compressed in L2, in an SM and in the cache.
#include "mechanisms/line_compression/partial_stores.hpp"

#include <gtest/gtest.h>

#include "mechanisms/line_compression/compressed_sets.hpp"
#include "unit/mechanisms/line_compression/caches.hpp"
#include "unit/mechanisms/line_compression/lines.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

using mem::AccessType;
using mem::CacheDriver;
using mem::load;
using mem::Request;
using mem::store;

// Keeps what the stage asks for.
class AskedCaches final : public sm::StagesBelow {
 public:
  bool canAccept(const sm::LineAccess&) const override { return isOpen; }
  void pass(const sm::LineAccess& access, Cycle) override { passed.push_back(access.request); }
  void ask(const sm::LineAccess& access, Cycle) override { asked.push_back(access.request); }

  bool isOpen = true;
  std::vector<Request> asked, passed;
};

Request partOfLine(u32 id) {
  Request request = store(AccessType::globalWrite, 0x1000, 0b0010);
  request.wantsResponse = true;
  request.id = id;
  return request;
}

constexpr u32 kEntries = 2;

class PartialStoresOfASm : public testing::Test {
 protected:
  void send(u32 id) {
    const Request request = partOfLine(id);
    const sm::LineAccess access{request, sm::Route::l1Data};
    ASSERT_TRUE(stage.takes(access) && stage.canAccept(access));
    stage.accept(access, Cycle{now});
  }
  void answerLast(u8 encoding) {
    Request response = caches.asked.back();
    response.isResponse = true;
    response.encoding = encoding;
    stage.fill(response, Cycle{now});
  }
  void tick() { stage.tick(Cycle{now++}); }

  AskedCaches caches;
  Statistics statistics;
  PartialStores stage{kEntries, kLine, caches, statistics};
  u64 now = 10;
};

TEST_F(PartialStoresOfASm, GoOnceWhereTheLineIsNotCompressed) {
  send(5);
  ASSERT_EQ(caches.asked.size(), 1u);
  EXPECT_EQ(caches.asked[0].sectors, 0b0010u);
  EXPECT_EQ(stage.peekResponse(), nullptr);
  answerLast(0);
  ASSERT_NE(stage.peekResponse(), nullptr);
  EXPECT_EQ(stage.takeResponse().id, 5u);
  EXPECT_TRUE(stage.quiescent());
  EXPECT_EQ(statistics.refusedStores, 0u);
}

TEST_F(PartialStoresOfASm, FetchTheLineAndStoreAllOfItWhereItIs) {
  send(5);
  answerLast(3);
  EXPECT_EQ(stage.nextUseful(Cycle{now}), Cycle{now + 1});
  caches.isOpen = false;
  tick();
  EXPECT_EQ(caches.asked.size(), 1u) << "waits for what is below";
  caches.isOpen = true;
  tick();
  ASSERT_EQ(caches.asked.size(), 2u);
  EXPECT_EQ(caches.asked[1].type, AccessType::globalRead);
  EXPECT_EQ(caches.asked[1].sectors, 0b1111u);
  answerLast(0);
  tick();
  ASSERT_EQ(caches.asked.size(), 3u);
  EXPECT_EQ(caches.asked[2].type, AccessType::globalWrite);
  EXPECT_EQ(caches.asked[2].wholeSectors, 0b1111u);
  EXPECT_EQ(stage.peekResponse(), nullptr);
  EXPECT_FALSE(stage.quiescent());
  answerLast(0);
  EXPECT_EQ(stage.takeResponse(), [] {
    Request response = partOfLine(5);
    response.isResponse = true;
    return response;
  }());
  EXPECT_TRUE(stage.quiescent());
  EXPECT_EQ(statistics.refusedStores, 1u);
}

TEST_F(PartialStoresOfASm, AreMergedBelowWhereThereIsNoRoomForThem) {
  for (u32 id = 0; id <= kEntries; ++id) send(id);
  EXPECT_EQ(caches.asked.size(), kEntries);
  ASSERT_EQ(caches.passed.size(), 1u);
  Request merged = partOfLine(kEntries);
  merged.mustMerge = true;
  EXPECT_EQ(caches.passed[0], merged);
  EXPECT_EQ(statistics.partialStores, kEntries);
  EXPECT_EQ(statistics.partialOverflows, 1u);
  answerLast(0);
  send(9);
  EXPECT_EQ(caches.passed.size(), 1u) << "the store that was answered has left its place";
}

TEST_F(PartialStoresOfASm, OfWholeLinesAreNone) {
  Request whole = partOfLine(1);
  whole.sectors = whole.wholeSectors = 0b1111;
  EXPECT_FALSE(stage.takes({whole, sm::Route::l1Data}));
  Request written = partOfLine(1);
  written.type = AccessType::localWrite;
  EXPECT_FALSE(stage.takes({written, sm::Route::l1Data}));
}

class SecondLevel : public testing::Test {
 protected:
  SecondLevel() { driver.cache.placeBy(sets); }
  Request answered() {
    EXPECT_TRUE(driver.ticksToResponse());
    return driver.cache.takeResponse();
  }
  void fillLast() {
    ASSERT_TRUE(driver.ticksToMiss());
    Request fetch = driver.cache.takeMiss();
    fetch.encoding = 3;
    fetch.pieces = 2;
    driver.fill(fetch);
  }
  static Request part(u32 wholeSectors) {
    Request request = store(AccessType::globalWrite, 0, 0b0001);
    request.wholeSectors = wholeSectors;
    request.wantsResponse = true;
    return request;
  }

  // Ticks to the answer.
  u64 timeOf(const Request& request) {
    const u64 before = driver.now();
    driver.access(request);
    answered();
    return driver.now() - before;
  }

  static constexpr u32 kTicks = 7;
  Statistics statistics;
  InSecondLevel<mem::SetPlacement> sets{kTicks,           statistics, cacheOfLines(), mem::setsOf(cacheOfLines()), cacheOfLines().ways,
                                        mem::Interleave{}};
  CacheDriver driver{cacheOfLines(), mem::Atomics::here};
};

TEST_F(SecondLevel, MakesALineWholeForAnAtomic) {
  driver.access(load(0));
  fillLast();
  EXPECT_EQ(answered().pieces, 2);
  const Request atomic = mem::access(AccessType::atomic, 0, 0b0001);
  const u64 first = timeOf(atomic), second = timeOf(atomic);
  EXPECT_EQ(first, second + kTicks) << "the line is whole from then on";
  EXPECT_EQ(statistics.mergedParts, 1u);
  EXPECT_EQ(statistics.hardwareDecompressions, 1u);
  driver.access(load(0));
  EXPECT_EQ(answered().pieces, 0);
}

TEST_F(SecondLevel, MakesALineWholeForAnAtomicThatFetchesIt) {
  driver.access(mem::access(AccessType::atomic, 0, 0b0001));
  fillLast();
  const u64 since = driver.now();
  answered();
  EXPECT_EQ(statistics.mergedParts, 1u);
  EXPECT_GE(driver.now() - since, kTicks - 1);
}

TEST_F(SecondLevel, AnswersInOrderBehindALineThatIsMadeWhole) {
  for (const u64 address : {u64{0}, u64{128}}) {
    driver.access(load(address));
    fillLast();
    answered();
  }
  driver.access(mem::access(AccessType::atomic, 0, 0b0001, 1));
  driver.access(load(128, 0xf, 2));
  EXPECT_EQ(answered().id, 1u);
  EXPECT_EQ(answered().id, 2u);
}

TEST_F(SecondLevel, MergesAPartThatItMust) {
  driver.access(load(0));
  fillLast();
  answered();
  Request merged = part(0b0001);
  merged.mustMerge = true;
  driver.access(merged);
  EXPECT_EQ(answered().encoding, 0);
  EXPECT_EQ(statistics.mergedParts, 1u);
  driver.access(load(0));
  EXPECT_EQ(answered().pieces, 0);
}

TEST_F(SecondLevel, RefusesAPartOfALineThatItHas) {
  driver.access(load(0));
  fillLast();
  answered();
  driver.access(part(0b0001));
  EXPECT_EQ(answered().encoding, 3);
  driver.access(load(0));
  EXPECT_EQ(answered().pieces, 2) << "the line is as it was";
  Request whole = store(AccessType::globalWrite, 0);
  whole.wantsResponse = true;
  driver.access(whole);
  EXPECT_EQ(answered().encoding, 0);
  driver.access(part(0b0001));
  EXPECT_EQ(answered().encoding, 0) << "of a line that is not compressed";
}

TEST_F(SecondLevel, RefusesAPartOfALineThatItFetches) {
  driver.access(part(0));
  fillLast();
  EXPECT_EQ(answered().encoding, 3);
  driver.drain();
  driver.cache.flush();
  driver.drain();
  EXPECT_EQ(driver.cache.statistics().writeBacks, 0u) << "nothing was written";
}

TEST_F(SecondLevel, TakesAPartThatWantsNoResponse) {
  driver.access(load(0));
  fillLast();
  answered();
  Request quiet = part(0b0001);
  quiet.wantsResponse = false;
  driver.access(quiet);
  driver.access(load(0));
  EXPECT_EQ(answered().pieces, 0);
}

}  // namespace
}  // namespace warpwright::mechanisms::line_compression
