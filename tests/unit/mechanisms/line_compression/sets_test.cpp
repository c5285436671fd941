// AskedCaches whose lines lie compressed in them, and share the room of their set.
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "mechanisms/line_compression/compressed_sets.hpp"
#include "mem/cache/cache.hpp"
#include "stats/json.hpp"
#include "unit/mechanisms/line_compression/caches.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

using mem::AccessType;
using mem::CacheDriver;
using mem::load;
using mem::Request;
using mem::store;

constexpr u32 kSets = 4, kWays = 2, kLineBytes = 128;

u64 lineOfSet0(u32 number) { return u64{number} * kSets * kLineBytes; }

// A cache of 4 sets of 2 whole lines.
class SharedRoom : public testing::Test {
 protected:
  SharedRoom() { driver.cache.placeBy(sets); }

  void loadLine(u32 number, u8 pieces) {
    driver.access(load(lineOfSet0(number)));
    ASSERT_TRUE(driver.ticksToMiss());
    Request fetch = driver.cache.takeMiss();
    fetch.encoding = pieces == 4 ? 0 : 1;
    fetch.pieces = pieces == 4 ? 0 : pieces;
    driver.fill(fetch);
    ASSERT_TRUE(driver.ticksToResponse());
    driver.cache.takeResponse();
  }
  bool holds(u32 number) const { return driver.cache.holds(GlobalAddress(lineOfSet0(number))); }

  u64 lookups = 0;
  CompressedSets sets{cacheOfLines(), 4, {}, lookups};
  CacheDriver driver{cacheOfLines()};
};

// Each new line needs room for all of it until it has come: with 8 pieces a set, a fourth of 1 beside three of 1.
TEST_F(SharedRoom, HoldsMoreLinesThatAreSmall) {
  for (u32 number = 0; number < 5; ++number) loadLine(number, 1);
  for (u32 number = 0; number < 5; ++number) EXPECT_TRUE(holds(number)) << number;
  loadLine(5, 1);
  EXPECT_FALSE(holds(0)) << "five pieces, and four for the line on its way";
  EXPECT_TRUE(holds(1));
}

TEST_F(SharedRoom, HoldsNoMoreThatAreWhole) {
  for (u32 number = 0; number < 3; ++number) loadLine(number, 4);
  EXPECT_FALSE(holds(0));
  EXPECT_TRUE(holds(1) && holds(2));
}

TEST_F(SharedRoom, ALineThatGrowsDrivesOthersOut) {
  for (u32 number = 0; number < 4; ++number) loadLine(number, 2);
  EXPECT_FALSE(holds(0)) << "six pieces, and four for the line on its way";
  loadLine(4, 1);
  EXPECT_FALSE(holds(1));
  driver.access(store(AccessType::globalWrite, lineOfSet0(4), 1));
  EXPECT_TRUE(holds(2) && holds(3)) << "four pieces, and four of the line that was written in part";
  driver.access(store(AccessType::globalWrite, lineOfSet0(3), 1));
  EXPECT_FALSE(holds(2));
  EXPECT_TRUE(holds(3) && holds(4));
  EXPECT_EQ(driver.cache.statistics().evictions, 3u);
}

TEST_F(SharedRoom, WhatIsDirtyIsWrittenBack) {
  loadLine(0, 1);
  Request whole = store(AccessType::globalWrite, lineOfSet0(0));
  whole.encoding = whole.pieces = 1;
  driver.access(whole);
  for (u32 number = 1; number < 6; ++number) loadLine(number, 1);
  driver.drain();
  EXPECT_EQ(driver.cache.statistics().writeBacks, 1u);
}

TEST_F(SharedRoom, OneMechanismPlacesTheLinesOfACache) {
  u64 lookups = 0;
  CompressedSets others(cacheOfLines(), 2, {}, lookups);
  EXPECT_THROW(driver.cache.placeBy(others), Error);
}

// A set never holds more than it has room for, and an access that finds none comes through when lines have come.
class Watched final : public mem::SetPlacement {
 public:
  explicit Watched(const config::Cache& cache) : SetPlacement(cache, kSets, kWays * 4, {}), sets_(cache, 4, {}, lookups_) {}

  bool sharesRoom() const override { return true; }
  std::optional<u32> inTheWay(GlobalAddress line, u32 frame, u32 pieces, std::span<const mem::Line> lines) const override {
    u32 taken = 0;
    for (u32 way = 0; way < ways(); ++way) {
      const mem::Line& each = lines[firstOf(line) + way];
      if (!isEmpty(firstOf(line) + way)) taken += each.mshr != mem::kNone || each.pieces == 0 ? 4 : each.pieces;
    }
    most = std::max(most, taken);
    return sets_.inTheWay(line, frame, pieces, lines);
  }
  u32 frames() const override { return sets_.frames(); }
  u32 find(GlobalAddress line) const override { return sets_.find(line); }
  u32 room(GlobalAddress line, std::span<const mem::Line> lines) const override { return sets_.room(line, lines); }
  bool isEmpty(u32 frame) const override { return sets_.isEmpty(frame); }
  void install(u32 frame, GlobalAddress line, const Request& access, u64 now) override { sets_.install(frame, line, access, now); }
  void clear(u32 frame) override { sets_.clear(frame); }
  void touch(u32 frame, const Request& access, bool isHit) override { sets_.touch(frame, access, isHit); }
  void fill(u32 frame, mem::Line& line) override { sets_.fill(frame, line); }

  mutable u32 most = 0;

 private:
  u64 lookups_ = 0;
  CompressedSets sets_;
};

TEST(CompressedSetsRandom, NeverHoldMoreThanTheyHaveRoomFor) {
  for (u32 seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](u32 end) { return static_cast<u32>(random() % end); };
    Watched sets(cacheOfLines());
    CacheDriver driver(cacheOfLines());
    driver.cache.placeBy(sets);
    u32 asked = 0, answered = 0;
    std::vector<Request> underway;
    for (u32 step = 0; step < 4000 || answered < asked; ++step) {
      ASSERT_LT(step, 40000u) << "nothing goes on";
      if (step < 4000 && below(2) == 0 && driver.cache.canAccept({})) {
        Request request =
            below(3) == 0 ? store(AccessType::globalWrite, below(40) * kLineBytes, below(2) == 0 ? 1 : 15) : load(below(40) * kLineBytes);
        request.wantsResponse = true;
        if (mem::isWrite(request.type) && request.sectors == 15 && below(2) == 0) request.encoding = request.pieces = 1;
        driver.cache.accept(request, {driver.now()});
        ++asked;
      }
      driver.tick();
      while (driver.cache.peekResponse()) {
        driver.cache.takeResponse();
        ++answered;
      }
      if (driver.cache.peekMiss() && below(3) != 0) {
        const Request request = driver.cache.takeMiss();
        if (!mem::isWrite(request.type)) underway.push_back(request);
      }
      if (!underway.empty() && below(6) == 0 && driver.cache.canFill(underway.front())) {
        Request response = underway.front();
        underway.erase(underway.begin());
        response.isResponse = true;
        response.pieces = static_cast<u8>(below(4));
        response.encoding = response.pieces != 0;
        driver.cache.fill(response, {driver.now()});
      }
    }
    EXPECT_LE(sets.most, kWays * 4) << seed;
    EXPECT_GE(sets.most, kWays * 4 - 1) << seed;
  }
}

// With room for what there is, as any other sets.
TEST(CompressedSetsRandom, OfWholeLinesAreSets) {
  std::mt19937 random(1);
  u64 lookups = 0;
  CompressedSets shared(cacheOfLines(), 1, {}, lookups);
  CacheDriver ordinary(cacheOfLines()), other(cacheOfLines());
  other.cache.placeBy(shared);
  for (u32 step = 0; step < 3000; ++step) {
    const u64 address = random() % 40 * kLineBytes;
    const bool writes = random() % 3 == 0;
    for (CacheDriver* each : {&ordinary, &other}) {
      each->access(writes ? store(AccessType::globalWrite, address, 1) : load(address));
      for (u32 tick = 0; tick < 30; ++tick) {
        each->tick();
        if (each->cache.peekResponse()) each->cache.takeResponse();
        if (!each->cache.peekMiss()) continue;
        const Request request = each->cache.takeMiss();
        if (!mem::isWrite(request.type)) each->fill(request);
      }
    }
  }
  EXPECT_EQ(stats::toJson(ordinary.cache.statistics()), stats::toJson(other.cache.statistics()));
  EXPECT_GT(ordinary.cache.statistics().writeBacks, 100u);
  EXPECT_EQ(lookups, 3000u);
}

TEST(WholeSets, GiveLinesAsTheyCameAndKeepThemWhole) {
  WholeSets sets(cacheOfLines(), {});
  CacheDriver driver(cacheOfLines());
  driver.cache.placeBy(sets);
  driver.access(load(0));
  ASSERT_TRUE(driver.ticksToMiss());
  Request fetch = driver.cache.takeMiss();
  fetch.encoding = 3;
  fetch.pieces = 2;
  driver.fill(fetch);
  ASSERT_TRUE(driver.ticksToResponse());
  EXPECT_EQ(driver.cache.takeResponse().pieces, 2);
  driver.access(load(0));
  ASSERT_TRUE(driver.ticksToResponse());
  const Request again = driver.cache.takeResponse();
  EXPECT_EQ(again.pieces, 0);
  EXPECT_EQ(again.encoding, 0);
}

}  // namespace
}  // namespace warpwright::mechanisms::line_compression
