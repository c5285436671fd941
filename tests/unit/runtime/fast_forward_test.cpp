#include "runtime/fast_forward.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::runtime {
namespace {

TEST(FastForward, WithoutAKernelTimeBeginsAtOnce) {
  FastForward forward("");
  EXPECT_TRUE(forward.reached());
  EXPECT_TRUE(forward.reaches("_Z3addPi"));
}

TEST(FastForward, TimeBeginsWithTheFirstLaunchAndGoesOn) {
  FastForward forward("add");
  EXPECT_FALSE(forward.reaches("_Z3subPi"));
  EXPECT_FALSE(forward.reached());
  EXPECT_TRUE(forward.reaches("_Z3addPi"));
  EXPECT_TRUE(forward.reaches("_Z3subPi"));
}

TEST(FastForward, CountsTheLaunchesOfTheKernelAlone) {
  FastForward forward("_Z3addPi#3");
  EXPECT_FALSE(forward.reaches("_Z3addPi"));
  EXPECT_FALSE(forward.reaches("_Z3subPi"));
  EXPECT_FALSE(forward.reaches("_Z3addPi"));
  EXPECT_TRUE(forward.reaches("_Z3addPi"));
}

TEST(FastForward, RefusesWhatCountsNothing) {
  for (const char* text : {"add#0", "add#", "add#x", "#2", "add#-1"}) EXPECT_THROW(FastForward{text}, Error) << text;
}

}  // namespace
}  // namespace warpwright::runtime
