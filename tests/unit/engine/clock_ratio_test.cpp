#include "engine/clock_ratio.hpp"

#include <gtest/gtest.h>

namespace warpwright::engine {
namespace {

struct Clocks {
  u64 domain, core;
};

class ClockRatios : public ::testing::TestWithParam<Clocks> {};

TEST_P(ClockRatios, EveryTickFallsInExactlyOneCycle) {
  const auto [domain, core] = GetParam();
  const ClockRatio ratio(domain, core);
  u64 tick = 0;
  for (u64 cycle = 0; cycle < 5000; ++cycle) {
    EXPECT_EQ(ratio.before({cycle}), tick);
    for (; tick < ratio.before({cycle + 1}); ++tick) EXPECT_EQ(ratio.cycleOf(tick), Cycle{cycle});
  }
  EXPECT_EQ(ratio.before({core}), domain);
  EXPECT_EQ(ratio.before({1000 * core}), 1000 * domain);
}

TEST_P(ClockRatios, ACursorCountsTheSame) {
  const auto [domain, core] = GetParam();
  const ClockRatio ratio(domain, core);
  TickCursor cursor(ratio);
  for (u64 cycle = 0; cycle < 5000; cycle += cycle % 11 == 0 ? 13 : 1) {
    EXPECT_EQ(cursor.advance({cycle}), ratio.before({cycle}));
    EXPECT_EQ(cursor.before({cycle}), ratio.before({cycle}));
    EXPECT_EQ(cursor.before({cycle + 1}), ratio.before({cycle + 1}));
  }
}

TEST_P(ClockRatios, LatenciesRoundUp) {
  const auto [domain, core] = GetParam();
  const ClockRatio ratio(domain, core);
  for (u64 ticks = 0; ticks < 500; ++ticks) {
    const u64 cycles = ratio.cycles(ticks);
    EXPECT_GE(cycles * domain, ticks * core);
    if (cycles != 0) {
      EXPECT_LT((cycles - 1) * domain, ticks * core);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ratios, ClockRatios,
                         ::testing::Values(Clocks{700, 700}, Clocks{924, 700}, Clocks{602, 1296}, Clocks{3500, 1132}, Clocks{1, 7}));

}  // namespace
}  // namespace warpwright::engine
