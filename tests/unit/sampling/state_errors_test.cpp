#include "sampling/state_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warpwright::sampling {
namespace {

TEST(StateErrors, AreAskedForEverLessOften) {
  StateErrors errors;
  std::vector<u32> checkedAt;
  for (u32 recalled = 0; recalled <= 16; ++recalled) {
    while (errors.isDue()) {
      errors.checked(100, 101);
      checkedAt.push_back(recalled);
    }
    errors.add();
  }
  EXPECT_EQ(checkedAt, (std::vector<u32>{1, 1, 4, 8, 16}));
}

TEST(StateErrors, AreAShareOfTheCycles) {
  StateErrors errors;
  EXPECT_TRUE(errors.errorOf(0).isExact());
  EXPECT_EQ(errors.errorOf(100).error(), 0) << "nothing was checked";
  errors.checked(100, 98);
  EXPECT_EQ(errors.errorOf(100).error(), 0) << "of one check nothing is known of the spread";
  EXPECT_FALSE(errors.errorOf(100).isExact());
  errors.checked(200, 196);
  EXPECT_DOUBLE_EQ(errors.errorOf(1000).value, -10) << "between nothing and 20";
  EXPECT_GE(errors.errorOf(1000).error(), 10) << "always the same share, so both ends are within the interval";
  errors.checked(100, 104);
  EXPECT_GT(errors.errorOf(1000).error(), 10);
}

// Launches take some percent more or less behind timed ones than recalled; the interval of 95 % holds what all of them take, whether it
// matters as much to those that were not timed both ways or not at all.
TEST(StateErrors, TheIntervalHoldsTheTruth) {
  std::mt19937 random(3);
  std::normal_distribution<double> share(0.02, 0.03);
  u32 held = 0;
  constexpr u32 kPrograms = 400;
  for (u32 program = 0; program < kPrograms; ++program) {
    StateErrors errors;
    const double part = program % 3 / 2.0;
    double truth = 0;
    for (u32 launch = 0; launch < 64; ++launch) {
      const double more = 1000 * share(random);
      truth += part * more;
      if (launch < 6) errors.checked(1000, 1000 + more);
    }
    const stats::Estimate estimate = errors.errorOf(64 * 1000);
    held += std::abs(estimate.value - truth) <= estimate.error();
  }
  EXPECT_GE(held, kPrograms * 92 / 100);
}

}  // namespace
}  // namespace warpwright::sampling
