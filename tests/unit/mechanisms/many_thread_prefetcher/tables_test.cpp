// Strides within warps, of several warps, and between warps, by hand; and the throttle.
#include "mechanisms/many_thread_prefetcher/tables.hpp"

#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "mechanisms/many_thread_prefetcher/hardware.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {
namespace {

constexpr Pc kLoad{7};

std::optional<Source> sourceOf(const std::optional<Prediction>& prediction) {
  return prediction ? std::optional(prediction->source) : std::nullopt;
}

// Of warp 5 alone, which is no stride between warps.
TEST(ManyThreadTables, AWarpIsTrainedByTwoEqualStrides) {
  Tables tables({});
  EXPECT_FALSE(tables.observe(kLoad, 5, 1000));
  EXPECT_FALSE(tables.observe(kLoad, 5, 1256));
  const auto prediction = tables.observe(kLoad, 5, 1512);
  EXPECT_EQ(sourceOf(prediction), Source::perWarp);
  EXPECT_EQ(prediction->stride, 256);
  EXPECT_FALSE(tables.observe(kLoad, 5, 9000));
}

// Three warps at places that have no stride between them.
TEST(ManyThreadTables, ThreeWarpsMakeAStrideThatOfTheInstruction) {
  Tables tables({});
  const u64 places[] = {1000, 50'000, 777'000};
  for (u64 step = 0; step < 3; ++step)
    for (u32 warp = 0; warp < 3; ++warp) tables.observe(kLoad, warp * warp, places[warp] + step * 64);
  EXPECT_EQ(tables.promotions(), 1u);
  const auto prediction = tables.observe(kLoad, 40, 5);
  EXPECT_EQ(sourceOf(prediction), Source::global) << "of a warp that was never seen";
  EXPECT_EQ(prediction->stride, 64);
  EXPECT_FALSE(tables.observe(Pc{8}, 40, 5)) << "another instruction";
}

TEST(ManyThreadTables, ThreeWarpsInARowTrainTheStrideBetweenThem) {
  Tables tables({});
  EXPECT_FALSE(tables.observe(kLoad, 0, 1000));
  EXPECT_FALSE(tables.observe(kLoad, 1, 1128));
  const auto prediction = tables.observe(kLoad, 3, 1384);
  EXPECT_EQ(sourceOf(prediction), Source::interWarp);
  EXPECT_EQ(prediction->stride, 128);
  EXPECT_FALSE(tables.observe(kLoad, 4, 0));
}

TEST(ManyThreadTables, TheLeastRecentlyUsedWarpIsForgotten) {
  Tables tables({.perWarp = 2});
  for (const u64 address : {100u, 200u}) tables.observe(kLoad, 5, address);
  tables.observe(kLoad, 9, 5000);
  tables.observe(kLoad, 30, 70'001);  // takes the place of warp 5
  tables.observe(kLoad, 5, 300);
  EXPECT_FALSE(tables.observe(kLoad, 5, 400));
  EXPECT_EQ(sourceOf(tables.observe(kLoad, 5, 500)), Source::perWarp);
}

TEST(ManyThreadTables, LongStridesAreLeftOut) {
  Tables tables({});
  for (u64 step = 0; step < 4; ++step) EXPECT_FALSE(tables.observe(kLoad, 5, step << 19));
}

// Lee and others: 32 entries of 93 bits, 8 of 52 and 8 of 133.
TEST(ManyThreadTables, TakeTheBitsOfThePaper) {
  const Hardware parts = hardware(Settings{}, config::loadMachine("gtx480"));
  EXPECT_EQ(parts.numbers.at(0).value, 93);
  EXPECT_EQ(parts.numbers.at(1).value, 52);
  EXPECT_EQ(parts.numbers.at(2).value, 133);
  EXPECT_EQ(parts.numbers.at(3).value, 557);
}

class Throttle : public ::testing::Test {
 protected:
  // The period's lines that were used and unused, and of a hundred requests those that merged.
  u32 after(u64 used, u64 unused, u64 merges) {
    cache.prefetched.used += used;
    cache.prefetched.unused += unused;
    cache.merges[mem::AccessType::globalRead] += merges;
    cache.misses[mem::AccessType::globalRead] += 100 - merges;
    now += 100'000;
    throttle.observe(cache, now);
    return throttle.degree();
  }

  AdaptiveThrottle throttle{{}};
  mem::CacheStats cache;
  Cycle now{};
};

TEST_F(Throttle, BeginsWithTwoFifths) {
  u32 dropped = 0;
  for (int i = 0; i < 10; ++i) dropped += throttle.drops();
  EXPECT_EQ(dropped, 4u);
}

TEST_F(Throttle, EarlyEvictionsStopPrefetches) {
  EXPECT_EQ(after(100, 3, 100), 5u);
  EXPECT_TRUE(throttle.drops());
}

TEST_F(Throttle, SomeEarlyEvictionsAreAFifthLess) { EXPECT_EQ(after(1000, 15, 100), 3u); }

TEST_F(Throttle, MergesAreAFifthMoreAndFewOfThemAFifthLess) {
  EXPECT_EQ(after(100, 0, 80), 1u);
  EXPECT_EQ(after(100, 0, 80), 0u);
  EXPECT_EQ(after(100, 0, 80), 0u);
  EXPECT_EQ(after(100, 0, 0), 0u) << "the mean with the period before";
  EXPECT_EQ(after(100, 0, 0), 0u);
  EXPECT_EQ(after(100, 0, 0), 1u);
}

TEST_F(Throttle, LinesThatNobodyUsesStopPrefetches) { EXPECT_EQ(after(0, 1, 100), 5u); }

}  // namespace
}  // namespace warpwright::mechanisms::many_thread_prefetcher
