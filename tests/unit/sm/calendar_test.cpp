#include "sm/calendar.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace warpwright::sm {
namespace {

TEST(Calendar, GivesTheFirstFreeCycle) {
  Calendar calendar;
  EXPECT_EQ(calendar.book({10}, {0}), Cycle{10});
  EXPECT_EQ(calendar.book({10}, {0}), Cycle{11});
  EXPECT_EQ(calendar.book({9}, {0}), Cycle{9});
  EXPECT_EQ(calendar.book({9}, {0}), Cycle{12});
  EXPECT_EQ(calendar.firstFree({11}), Cycle{13});
  EXPECT_EQ(calendar.firstFree({13}), Cycle{13});
}

TEST(Calendar, GoesOnBehindAFullWord) {
  Calendar calendar;
  for (u64 i = 0; i < 1300; ++i) EXPECT_EQ(calendar.book({60}, {60}).ticks, 60 + i);
}

TEST(Calendar, KeepsWhatIsAheadHoweverFar) {
  for (const u64 far : {u64{512}, u64{4096}, u64{100'000}}) {
    Calendar calendar;
    EXPECT_EQ(calendar.book({5}, {5}), Cycle{5});
    EXPECT_EQ(calendar.book({5 + far}, {5}).ticks, 5 + far);
    EXPECT_EQ(calendar.book({5}, {5}), Cycle{6});
    EXPECT_EQ(calendar.book({5 + far}, {5}).ticks, 6 + far);
  }
}

// Against a set of the cycles taken; some bookings lie far ahead.
TEST(Calendar, RandomBookings) {
  std::mt19937_64 random(2);
  Calendar calendar;
  std::set<u64> taken;
  for (u64 now = 0; now < 50'000; now += 1 + random() % 3) {
    const u64 earliest = now + random() % (random() % 64 == 0 ? 20'000 : 300);
    u64 expected = earliest;
    while (taken.contains(expected)) ++expected;
    taken.insert(expected);
    ASSERT_EQ(calendar.book({earliest}, {now}).ticks, expected) << "at " << now;
  }
}

TEST(Calendars, TheLowestNumberWins) {
  Calendars calendars(2);
  EXPECT_EQ(calendars.bookAny({4}, {0}), Cycle{4});
  EXPECT_EQ(calendars[0].firstFree({4}), Cycle{5});
  EXPECT_EQ(calendars[1].firstFree({4}), Cycle{4});
  EXPECT_EQ(calendars.bookAny({4}, {0}), Cycle{4});
  EXPECT_EQ(calendars.bookAny({4}, {0}), Cycle{5});
  EXPECT_EQ(calendars.bookAny({4}, {0}), Cycle{5});
  EXPECT_EQ(calendars.bookAny({4}, {0}), Cycle{6});
}

}  // namespace
}  // namespace warpwright::sm
