#include "sm/wheel.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpwright::sm {
namespace {

std::vector<int> taken(Wheel<int>& wheel, u64 now) {
  std::vector<int> events;
  wheel.take({now}, [&](int event) { events.push_back(event); });
  return events;
}

TEST(Wheel, EventsOfACycleComeOutInTheirOrder) {
  Wheel<int> wheel;
  wheel.add({5}, 1);
  wheel.add({7}, 2);
  wheel.add({5}, 3);
  EXPECT_EQ(wheel.next({0}), Cycle{5});
  EXPECT_TRUE(taken(wheel, 4).empty());
  EXPECT_EQ(taken(wheel, 5), (std::vector{1, 3}));
  EXPECT_EQ(wheel.next({6}), Cycle{7});
  EXPECT_EQ(taken(wheel, 7), (std::vector{2}));
  EXPECT_EQ(wheel.next({8}), kNever);
}

TEST(Wheel, AnEventMayAddLaterOnes) {
  Wheel<int> wheel;
  wheel.add({3}, 0);
  wheel.take({3}, [&](int) { wheel.add({4}, 9); });
  EXPECT_EQ(taken(wheel, 4), (std::vector{9}));
}

TEST(Wheel, ReachesAsFarAsOneLikes) {
  for (const u64 now : {u64{0}, u64{63}, u64{64}, u64{4095}, u64{1'000'003}}) {
    for (const u64 ahead : {Wheel<int>::kHorizon - 1, Wheel<int>::kHorizon, Wheel<int>::kHorizon + 1, u64{10'000}, u64{10'000'000}}) {
      Wheel<int> wheel;
      EXPECT_TRUE(taken(wheel, now).empty());
      wheel.add({now + ahead}, 1);
      EXPECT_EQ(wheel.next({now}).ticks, now + ahead);
      EXPECT_EQ(taken(wheel, now + ahead).size(), 1u);
      EXPECT_EQ(wheel.next({now + ahead}), kNever);
    }
  }
}

TEST(Wheel, EventsAddedFromAfarComeOutBeforeThoseAddedLater) {
  constexpr u64 kTime = 3 * Wheel<int>::kHorizon;
  Wheel<int> wheel;
  wheel.add({kTime}, 1);
  wheel.add({kTime}, 2);
  taken(wheel, kTime - 1);
  wheel.add({kTime}, 3);
  EXPECT_EQ(taken(wheel, kTime), (std::vector{1, 2, 3}));
}

// Against an ordered map.
TEST(Wheel, RandomEventsComeOutWhenTheyAreDue) {
  std::mt19937_64 random(1);
  Wheel<int> wheel;
  std::multimap<u64, int> expected;  // equal keys keep their order
  u64 now = 0;
  for (int step = 0; step < 20'000; ++step) {
    for (u64 more = random() % 3; more > 0; --more) {
      const u64 time = now + random() % (random() % 4 == 0 ? 5 * Wheel<int>::kHorizon : 20);
      wheel.add({time}, step);
      expected.emplace(time, step);
    }
    const u64 next = expected.empty() ? kNever.ticks : expected.begin()->first;
    ASSERT_EQ(wheel.next({now}).ticks, next) << "at " << now;
    std::vector<int> due;
    for (auto at = expected.find(now); at != expected.end() && at->first == now; at = expected.erase(at)) due.push_back(at->second);
    ASSERT_EQ(taken(wheel, now), due) << "at " << now;
    now += 1;
  }
}

}  // namespace
}  // namespace warpwright::sm
