#include "runtime/progress.hpp"

#include <gtest/gtest.h>

namespace warpwright::runtime {
namespace {

// 16 of 64 blocks in 3 seconds: three times as much is left. 60 million instructions in 3 seconds: 20 M a second.
TEST(Progress, BlocksRateAndTimeLeft) {
  EXPECT_EQ(progressText("work", {16, 64, 60'000'000}, 3.0), "work: 16 of 64 blocks, 20.0 M warp instructions/s, 9 s left");
}

TEST(Progress, NoTimeLeftBeforeTheFirstBlock) {
  EXPECT_EQ(progressText("work", {0, 64, 9'000'000}, 3.0), "work: 0 of 64 blocks, 3.0 M warp instructions/s");
}

TEST(Progress, LongTimesInLargerUnits) {
  EXPECT_NE(progressText("work", {1, 101, 0}, 6.0).find("10 min 0 s left"), std::string::npos);
  EXPECT_NE(progressText("work", {1, 3601, 0}, 3.0).find("3 h 0 min left"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::runtime
