// With a host that is a formula: what a piece of work of 100 parts takes with so many helpers.
#include "engine/crew_size.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace warpwright::engine {
namespace {

using Host = std::function<double(u32 helpers)>;  // seconds

// Lets the crew work for so long; the seconds that it takes for each piece.
double work(CrewSize& size, const Host& host, double seconds) {
  double spent = 0;
  u32 pieces = 0;
  for (; spent < seconds; ++pieces) {
    const double time = host(size.helpers());
    size.worked(100, CrewSize::Time{time});
    spent += time;
  }
  return spent / pieces;
}

const Host kQuiet = [](u32 helpers) { return 40e-6 / (1 + helpers); };
const Host kBusy = [](u32 helpers) { return helpers == 0 ? 40e-6 : 400e-6 * helpers; };
const Host kTwoFree = [](u32 helpers) { return helpers <= 1 ? 40e-6 / (1 + helpers) : 100e-6 * helpers; };

TEST(CrewSize, BeginsAsItIsTold) {
  EXPECT_EQ(CrewSize(7, 7).helpers(), 7u);
  EXPECT_EQ(CrewSize(7, 0).helpers(), 0u);
  EXPECT_EQ(CrewSize(7, 63).helpers(), 7u);
}

TEST(CrewSize, OnAQuietHostAllWork) {
  for (const u32 most : {1u, 2u, 7u}) {
    CrewSize size(most, most);
    EXPECT_LT(work(size, kQuiet, 10), 1.05 * kQuiet(most)) << most;
  }
}

TEST(CrewSize, OnABusyHostTheCallerWorksAlone) {
  for (const u32 most : {1u, 2u, 7u}) {
    CrewSize size(most, most);
    work(size, kBusy, 3);
    EXPECT_LT(work(size, kBusy, 10), 1.05 * kBusy(0)) << most;
  }
}

TEST(CrewSize, FollowsTheLoad) {
  CrewSize size(7, 7);
  for (const Host& host : {kQuiet, kBusy, kQuiet, kTwoFree}) {
    work(size, host, 5);
    double best = host(0);
    for (u32 helpers = 1; helpers <= 7; ++helpers) best = std::min(best, host(helpers));
    EXPECT_LT(work(size, host, 10), 1.1 * best);
  }
}

// Phases of the program in which a part takes up to ten times as long, shorter than a comparison: they are not taken for the helpers'
// doing.
TEST(CrewSize, IsNotMisledByPhases) {
  for (const double helped : {0.7, 1.6}) {
    std::minstd_rand random(1);
    double spent = 0, ends = 0, cost = 1, ideal = 0;
    CrewSize size(1, 1);
    while (spent < 60) {
      if (spent >= ends) {
        cost = 1 + random() % 10;
        ends = spent + 0.002 + static_cast<double>(random() % 10) / 1000;
      }
      const double time = 40e-6 * cost * (size.helpers() == 0 ? 1 : helped);
      size.worked(100, CrewSize::Time{time});
      spent += time;
      ideal += 40e-6 * cost * std::min(1.0, helped);
    }
    EXPECT_LT(spent, 1.1 * ideal) << helped;
  }
}

// What costs a hundred times more is tried all the more rarely.
TEST(CrewSize, TrialsCostLittleWhateverIsTried) {
  const Host terrible = [](u32 helpers) { return helpers == 0 ? 40e-6 : 50e-3; };
  CrewSize size(1, 1);
  work(size, terrible, 1);
  double alone = 0, spent = 0;
  for (u32 i = 0; spent < 100; ++i) {
    const double time = terrible(size.helpers());
    if (size.helpers() == 0) alone += time;
    size.worked(100, CrewSize::Time{time});
    spent += time;
  }
  EXPECT_GT(alone, 0.95 * spent);
}

}  // namespace
}  // namespace warpwright::engine
