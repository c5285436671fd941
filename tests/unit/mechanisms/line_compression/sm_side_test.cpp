// Compression in an SM, cycle by cycle.
#include "mechanisms/line_compression/sm_side.hpp"

#include <gtest/gtest.h>

#include "unit/mechanisms/line_compression/lines.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

using mem::AccessType;
using mem::Request;

// Takes what comes when it may.
class Caches final : public sm::StagesBelow {
 public:
  bool canAccept(const sm::LineAccess&) const override { return isOpen; }
  void pass(const sm::LineAccess& access, Cycle now) override {
    passed.push_back(access.request);
    times.push_back(now.ticks);
  }
  void ask(const sm::LineAccess&, Cycle) override { ADD_FAILURE() << "the stage asks for nothing"; }

  bool isOpen = true;
  std::vector<Request> passed;
  std::vector<u64> times;
};

Request storeOf(u32 sectors = 0b1111) {
  Request request;
  request.address = GlobalAddress{0x1000};
  request.lineBytes = kLine;
  request.sectors = request.wholeSectors = sectors;
  request.type = AccessType::globalWrite;
  request.id = 5;
  return request;
}
mem::WordAccess wordsOf(u32 (*wordAt)(u32)) {
  mem::WordAccess words;
  for (u32 word = 0; word < kLine / sizeof(u32); ++word) {
    words.values[word] = wordAt(word);
    words.mask |= u64{1} << word;
  }
  return words;
}

TEST(LineCompressionStores, GetTheSizeOfWhatTheyStore) {
  Caches caches;
  Statistics statistics;
  StoreStage stage({.reach = Reach::network}, kLine, caches, statistics);
  const mem::WordAccess first = wordsOf(zeros), second = wordsOf(smallWords), third = wordsOf(noise);
  u64 time = 10;
  for (const mem::WordAccess* words : {&first, &second, &third}) {
    const Request request = storeOf();
    const sm::LineAccess access{request, sm::Route::l1Data, words};
    ASSERT_TRUE(stage.takes(access) && stage.canAccept(access));
    stage.accept(access, Cycle{time++});
  }
  EXPECT_EQ(stage.nextUseful(Cycle{12}), Cycle{15});
  EXPECT_FALSE(stage.quiescent());
  for (; time < 30; ++time) stage.tick(Cycle{time});
  ASSERT_EQ(caches.passed.size(), 3u);
  EXPECT_EQ(caches.times, (std::vector<u64>{15, 16, 17})) << "five cycles each";
  EXPECT_EQ(caches.passed[0].pieces, 1u);
  EXPECT_EQ(caches.passed[1].pieces, 2u);
  EXPECT_EQ(caches.passed[2].pieces, 0u);
  EXPECT_EQ(caches.passed[0].id, 5u);
  EXPECT_EQ(statistics.stores, 3u);
  EXPECT_EQ(statistics.compressedStores, 2u);
  EXPECT_TRUE(stage.quiescent());
}

TEST(LineCompressionStores, WaitForTheCacheAndHoldOthersUp) {
  Caches caches;
  Statistics statistics;
  StoreStage stage({.reach = Reach::network, .smEntries = 2}, kLine, caches, statistics);
  const mem::WordAccess words = wordsOf(zeros);
  const Request request = storeOf();
  const sm::LineAccess access{request, sm::Route::l1Data, &words};
  caches.isOpen = false;
  stage.accept(access, Cycle{0});
  stage.accept(access, Cycle{0});
  EXPECT_FALSE(stage.canAccept(access));
  for (u64 time = 1; time < 9; ++time) stage.tick(Cycle{time});
  EXPECT_EQ(stage.nextUseful(Cycle{8}), Cycle{9});
  caches.isOpen = true;
  stage.tick(Cycle{9});
  EXPECT_EQ(caches.passed.size(), 2u);
}

TEST(LineCompressionStores, OfPartsAndWithoutValuesGoOn) {
  Caches caches;
  Statistics statistics;
  const StoreStage stage({.reach = Reach::network}, kLine, caches, statistics);
  mem::WordAccess words = wordsOf(zeros);
  const Request part = storeOf(0b0111);
  EXPECT_FALSE(stage.takes({part, sm::Route::l1Data, &words}));
  Request load = storeOf();
  load.type = AccessType::globalRead;
  EXPECT_FALSE(stage.takes({load, sm::Route::l1Data, &words}));
  const Request whole = storeOf();
  EXPECT_FALSE(stage.takes({whole, sm::Route::l1Data, nullptr}));
  EXPECT_TRUE(stage.takes({whole, sm::Route::l1Data, &words}));
  words.whole = false;
  EXPECT_FALSE(stage.takes({whole, sm::Route::l1Data, &words}));
}

TEST(LineCompressionArrivals, AreMadeWholeInACycle) {
  Statistics statistics;
  Arrivals arrivals({.reach = Reach::network}, statistics);
  Request response = storeOf();
  response.type = AccessType::globalRead;
  response.isResponse = true;
  EXPECT_FALSE(arrivals.takes(response));
  response.pieces = 2;
  ASSERT_TRUE(arrivals.takes(response));
  arrivals.accept(response, Cycle{20});
  EXPECT_EQ(arrivals.peek(), nullptr);
  EXPECT_EQ(arrivals.nextUseful(Cycle{20}), Cycle{21});
  EXPECT_TRUE(arrivals.tick(Cycle{21}));
  ASSERT_NE(arrivals.peek(), nullptr);
  EXPECT_EQ(arrivals.take().pieces, 0u);
  EXPECT_TRUE(arrivals.quiescent());
  EXPECT_EQ(statistics.decompressions, 1u);
}

}  // namespace
}  // namespace warpwright::mechanisms::line_compression
