#include "stats/proportion.hpp"

#include <gtest/gtest.h>

namespace warpwright::stats {
namespace {

// The ends of the interval are the shares p for which the seen one lies 1.96 standard errors of p away: Wilson's definition.
void solvesItsEquation(u64 part, u64 all, double p) {
  const double n = static_cast<double>(all), seen = static_cast<double>(part) / n;
  EXPECT_NEAR((seen - p) * (seen - p), 1.959963984540054 * 1.959963984540054 * p * (1 - p) / n, 1e-12) << part << " of " << all;
}

TEST(Proportion, EndsSolveTheEquationThatDefinesThem) {
  for (const u64 all : {1, 7, 40, 200}) {
    for (u64 part = 0; part <= all; ++part) {
      const Interval interval = proportion(part, all);
      solvesItsEquation(part, all, interval.low);
      solvesItsEquation(part, all, interval.high);
      EXPECT_LE(interval.low, static_cast<double>(part) / static_cast<double>(all) + 1e-12);
      EXPECT_GE(interval.high, static_cast<double>(part) / static_cast<double>(all) - 1e-12);
    }
  }
}

TEST(Proportion, StaysAShareAndIsNeverWithoutWidth) {
  EXPECT_NEAR(proportion(0, 10).low, 0, 1e-12);
  EXPECT_NEAR(proportion(0, 10).high, 0.2775, 5e-5);
  EXPECT_NEAR(proportion(10, 10).low, 0.7225, 5e-5);
  EXPECT_NEAR(proportion(10, 10).high, 1, 1e-12);
  EXPECT_EQ(proportion(0, 0).low, 0);
  EXPECT_EQ(proportion(0, 0).high, 1);
}

}  // namespace
}  // namespace warpwright::stats
