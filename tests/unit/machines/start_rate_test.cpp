// How many blocks may start by when.
#include "machines/start_rate.hpp"

#include <gtest/gtest.h>

namespace warpwright::machines {
namespace {

u32 startedBy(StartRate& rate, u64 now) {
  u32 blocks = 0;
  for (; blocks < 1000 && rate.mayStart(Cycle{now}); ++blocks) rate.started();
  return blocks;
}

TEST(StartRate, WithoutALimitAllMayStart) {
  StartRate rate(0);
  EXPECT_EQ(startedBy(rate, 0), 1000u);
  EXPECT_EQ(rate.next(), Cycle{0});
}

// A block in 4 cycles: in cycles 0, 4, 8, …
TEST(StartRate, BlocksStartAtTheRate) {
  StartRate rate(250);
  EXPECT_EQ(startedBy(rate, 0), 1u);
  EXPECT_EQ(rate.next(), Cycle{4});
  EXPECT_EQ(startedBy(rate, 3), 0u);
  EXPECT_EQ(startedBy(rate, 4), 1u);
  EXPECT_EQ(startedBy(rate, 20), 4u) << "in 8, 12, 16 and 20";
  EXPECT_EQ(rate.next(), Cycle{24});
}

// 841 blocks in a thousand cycles, looked at every 12: none is lost to rounding.
TEST(StartRate, NothingIsLostToRounding) {
  StartRate rate(841);
  u32 blocks = 0;
  for (u64 now = 0; now <= 12'000; now += 12) {
    EXPECT_LE(rate.next().ticks, now + 12);
    blocks += startedBy(rate, now);
  }
  EXPECT_EQ(blocks, 12u * 841 + 1);
}

TEST(StartRate, TimeWithoutBlocksIsLost) {
  StartRate rate(250);
  EXPECT_EQ(startedBy(rate, 0), 1u);
  rate.idle(Cycle{100});
  EXPECT_EQ(startedBy(rate, 108), 3u) << "in 100, 104 and 108";
  rate.idle(Cycle{50});
  EXPECT_EQ(startedBy(rate, 109), 0u) << "what has started stays";
}

}  // namespace
}  // namespace warpwright::machines
