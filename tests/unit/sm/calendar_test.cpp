#include "sm/calendar.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace warpwright::sm {
namespace {

TEST(Calendar, GivesTheFirstFreeCycle) {
  Calendar calendar;
  EXPECT_EQ(calendar.book({10}), Cycle{10});
  EXPECT_EQ(calendar.book({10}), Cycle{11});
  EXPECT_EQ(calendar.book({9}), Cycle{9});
  EXPECT_EQ(calendar.book({9}), Cycle{12});
  EXPECT_FALSE(calendar.isFree({11}));
  EXPECT_TRUE(calendar.isFree({13}));
}

TEST(Calendar, GoesOnBehindAFullWord) {
  Calendar calendar;
  for (u64 i = 0; i < 130; ++i) EXPECT_EQ(calendar.book({60}).ticks, 60 + i);
}

TEST(Calendar, ForgetsWhatIsLongPast) {
  Calendar calendar;
  calendar.book({5});
  EXPECT_EQ(calendar.book({5 + Calendar::kHorizon}).ticks, 5 + Calendar::kHorizon);
}

// Against a set of the cycles taken.
TEST(Calendar, RandomBookings) {
  std::mt19937_64 random(2);
  Calendar calendar;
  std::set<u64> taken;
  for (u64 now = 0; now < 50'000; ++now) {
    const u64 earliest = now + random() % 300;
    u64 expected = earliest;
    while (taken.contains(expected)) ++expected;
    taken.insert(expected);
    ASSERT_EQ(calendar.book({earliest}).ticks, expected) << "at " << now;
    now += random() % 3;
  }
}

TEST(Calendars, TheLowestNumberWins) {
  Calendars calendars(2);
  EXPECT_EQ(calendars.bookAny({4}), Cycle{4});
  EXPECT_FALSE(calendars[0].isFree({4}));
  EXPECT_TRUE(calendars[1].isFree({4}));
  EXPECT_EQ(calendars.bookAny({4}), Cycle{4});
  EXPECT_EQ(calendars.bookAny({4}), Cycle{5});
  EXPECT_EQ(calendars.bookAny({4}), Cycle{5});
  EXPECT_EQ(calendars.bookAny({4}), Cycle{6});
}

}  // namespace
}  // namespace warpwright::sm
