// The cache of a lane, transition by transition (figure 3), and its bits (section 3.2).
#include "mechanisms/tiny_cache/lane_cache.hpp"

#include <gtest/gtest.h>

#include "mechanisms/tiny_cache/hardware_cost.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

// Two sets of two ways; lines of 16 bytes with a control bit for each of 8 half-words.
constexpr Geometry kSmall{.lines = 4, .ways = 2, .lineBytes = 16, .granuleBytes = 2};
constexpr u64 kAll = 0xff;

LineName name(u64 number) { return LineName::global(number); }

struct Cache : ::testing::Test {
  LaneCache cache{kSmall};

  Event read(u64 number, u64 granules) { return cache.read(name(number), granules).event; }
  Event write(u64 number, u64 granules) { return cache.write(name(number), granules).event; }
  const Line& line(u64 number) { return cache.line(cache.find(name(number))); }
  void expect(u64 number, State state, u64 dirty) {
    EXPECT_EQ(line(number).state, state);
    EXPECT_EQ(line(number).dirty(), dirty);
  }
};

TEST_F(Cache, FetchesWhatIsReadAndNotThere) {
  EXPECT_EQ(read(4, 0x1), Event::readMiss);
  expect(4, State::clean, 0);
  EXPECT_EQ(read(4, 0x80), Event::readHit) << "all of the block is there";
  expect(4, State::clean, 0);
}

TEST_F(Cache, MarksWhatIsWrittenOfACleanLine) {
  read(4, 0x1);
  EXPECT_EQ(write(4, 0x6), Event::writeHit);
  expect(4, State::valid, 0x6);
  EXPECT_EQ(write(4, 0x10), Event::writeHit);
  expect(4, State::valid, 0x16);
  EXPECT_EQ(read(4, kAll), Event::readHit) << "bits set or not, all are valid";
  expect(4, State::valid, 0x16);
}

TEST_F(Cache, AllocatesForAWriteWithoutAFetch) {
  EXPECT_EQ(write(4, 0x3), Event::writeMiss);
  expect(4, State::partlyValid, 0x3);
  EXPECT_EQ(read(4, 0x2), Event::readHit);
  EXPECT_EQ(write(4, 0x1), Event::writeHit);
  EXPECT_EQ(write(4, 0xc), Event::writeInvalid);
  expect(4, State::partlyValid, 0xf);
}

TEST_F(Cache, IsValidWithTheLastGranule) {
  write(4, 0x7f);
  EXPECT_EQ(write(4, 0x80), Event::writeLast);
  expect(4, State::valid, kAll);
  EXPECT_EQ(read(4, kAll), Event::readHit);
}

TEST_F(Cache, IsValidAtOnceWhenAWriteCoversTheLine) {
  EXPECT_EQ(write(4, kAll), Event::writeMiss);
  expect(4, State::valid, kAll);
}

// What was written stays dirty, and only that.
TEST_F(Cache, MergesAFetchIntoWhatIsInvalid) {
  write(4, 0x30);
  EXPECT_EQ(read(4, 0x1), Event::readInvalid);
  expect(4, State::valid, 0x30);
  EXPECT_EQ(read(4, kAll), Event::readHit);
  EXPECT_EQ(write(4, 0x1), Event::writeHit);
  expect(4, State::valid, 0x31);
}

// One of several granules is enough.
TEST_F(Cache, FetchesWhenAPartIsInvalid) {
  write(4, 0x1);
  EXPECT_EQ(read(4, 0x3), Event::readInvalid);
  expect(4, State::valid, 0x1);
}

TEST_F(Cache, ReplacesTheLineThatWasUsedLongestAgo) {
  read(0, 1);
  write(2, 1);
  read(1, 1);  // another set
  read(0, 2);
  const LaneCache::Outcome outcome = cache.read(name(4), 1);
  ASSERT_TRUE(outcome.victim);
  EXPECT_EQ(outcome.victim->line.name, name(2));
  EXPECT_EQ(outcome.victim->line.dirty(), 1u);
  EXPECT_EQ(cache.find(name(2)), LaneCache::kNone);
  EXPECT_NE(cache.find(name(0)), LaneCache::kNone);
  EXPECT_NE(cache.find(name(1)), LaneCache::kNone);
  const LaneCache::Outcome clean = cache.write(name(6), 1);
  ASSERT_TRUE(clean.victim);
  EXPECT_EQ(clean.victim->line.name, name(0));
  EXPECT_EQ(clean.victim->line.dirty(), 0u) << "nothing to write back";
}

TEST_F(Cache, GivesALineAway) {
  write(4, 0x3);
  const Line taken = cache.take(cache.find(name(4)));
  EXPECT_EQ(taken.dirty(), 0x3u);
  EXPECT_EQ(cache.find(name(4)), LaneCache::kNone);
  EXPECT_EQ(read(4, 0x1), Event::readMiss);
}

TEST(LineName, TellsSpacesAndBlocksApart) {
  const LineName global = LineName::global(5), first = LineName::shared(SlotId(0), 5), second = LineName::shared(SlotId(63), 5);
  EXPECT_FALSE(global == first);
  EXPECT_FALSE(first == second);
  EXPECT_FALSE(global.isShared());
  EXPECT_TRUE(second.isShared());
  EXPECT_EQ(u32{second.block()}, 63u);
  EXPECT_EQ(global.address(64), GlobalAddress(320));
  for (const LineName each : {first, second}) EXPECT_EQ(each.offset(64), SharedOffset(320));
}

// Section 3.2: 81 bits of state and tag, 32 control bits, 15 bytes beside 64, 1264 bytes, 19 %.
TEST(TinyCacheCost, IsThatOfThePaper) {
  const HardwareCost cost = hardwareCost(Geometry{});
  EXPECT_EQ(cost.entryBits, 81u);
  EXPECT_EQ(cost.controlBits, 32u);
  EXPECT_EQ(cost.controlBytes, 15u);
  EXPECT_EQ(cost.bytes, 1264u);
  EXPECT_NEAR(cost.overhead(), 0.19, 0.005);
  EXPECT_EQ(hardwareCost({.granuleBytes = 1}).controlBits, 64u);
}

}  // namespace
}  // namespace warpwright::mechanisms::tiny_cache
