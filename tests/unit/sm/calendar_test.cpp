#include "sm/calendar.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace warpwright::sm {
namespace {

TEST(Calendar, GivesTheFirstFreeCycle) {
  Calendar calendar(1);
  EXPECT_EQ(calendar.book(0, {10}, {0}), Cycle{10});
  EXPECT_EQ(calendar.book(0, {10}, {0}), Cycle{11});
  EXPECT_EQ(calendar.book(0, {9}, {0}), Cycle{9});
  EXPECT_EQ(calendar.book(0, {9}, {0}), Cycle{12});
  EXPECT_FALSE(calendar.isFree(0, {12}));
  EXPECT_TRUE(calendar.isFree(0, {13}));
}

TEST(Calendar, ResourcesAreBookedOnTheirOwn) {
  Calendar calendar(Calendar::kMostResources);
  for (u32 resource = 0; resource < calendar.resources(); ++resource) EXPECT_EQ(calendar.book(resource, {7}, {7}), Cycle{7});
  for (u32 resource = 0; resource < calendar.resources(); ++resource) EXPECT_EQ(calendar.book(resource, {7}, {7}), Cycle{8});
  EXPECT_EQ(calendar.bookAny({7}, {7}), Cycle{9});
}

TEST(Calendar, GoesOnHoweverLongTheQueue) {
  Calendar calendar(1);
  for (u64 i = 0; i < 1300; ++i) EXPECT_EQ(calendar.book(0, {60}, {60}).ticks, 60 + i);
}

TEST(Calendar, KeepsWhatIsAheadHoweverFar) {
  for (const u64 far : {u64{64}, u64{4096}, u64{100'000}}) {
    Calendar calendar(2);
    EXPECT_EQ(calendar.book(1, {5}, {5}), Cycle{5});
    EXPECT_EQ(calendar.book(1, {5 + far}, {5}).ticks, 5 + far);
    EXPECT_EQ(calendar.book(1, {5}, {5}), Cycle{6});
    EXPECT_EQ(calendar.book(1, {5 + far}, {5}).ticks, 6 + far);
  }
}

// Against sets of the cycles taken; some bookings lie far ahead.
TEST(Calendar, RandomBookings) {
  constexpr u32 kResources = 3;
  std::mt19937_64 random(2);
  Calendar calendar(kResources);
  std::array<std::set<u64>, kResources> taken;
  for (u64 now = 0; now < 50'000; now += random() % 3) {
    const u64 earliest = now + random() % (random() % 64 == 0 ? 20'000 : 300);
    const u32 resource = random() % kResources;
    u64 expected = earliest;
    while (taken[resource].contains(expected)) ++expected;
    taken[resource].insert(expected);
    ASSERT_EQ(calendar.book(resource, {earliest}, {now}).ticks, expected) << "at " << now;
  }
}

TEST(Calendar, TheLowestNumberWins) {
  Calendar calendar(2);
  EXPECT_EQ(calendar.bookAny({4}, {0}), Cycle{4});
  EXPECT_FALSE(calendar.isFree(0, {4}));
  EXPECT_TRUE(calendar.isFree(1, {4}));
  EXPECT_EQ(calendar.bookAny({4}, {0}), Cycle{4});
  EXPECT_EQ(calendar.bookAny({4}, {0}), Cycle{5});
  EXPECT_EQ(calendar.bookAny({4}, {0}), Cycle{5});
  EXPECT_EQ(calendar.bookAny({4}, {0}), Cycle{6});
}

}  // namespace
}  // namespace warpwright::sm
