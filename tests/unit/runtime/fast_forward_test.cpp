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

TEST(FastForward, ExplainsWhyTimeNeverBegan) {
  FastForward misspelt("ad");
  misspelt.reaches("_Z3addPi");
  misspelt.reaches("_Z8multiplyPi");
  EXPECT_NE(misspelt.explanation().find("did you mean 'add'?"), std::string::npos) << misspelt.explanation();
  FastForward foreign("something");
  foreign.reaches("_Z3addPi");
  EXPECT_NE(foreign.explanation().find("the kernels launched are: add"), std::string::npos) << foreign.explanation();
  FastForward tooMany("add#3");
  tooMany.reaches("_Z3addPi");
  tooMany.reaches("_Z3addPi");
  EXPECT_NE(tooMany.explanation().find("'add' was launched 2 times, 3 were waited for"), std::string::npos) << tooMany.explanation();
  EXPECT_NE(FastForward("add").explanation().find("no launch of 'add' came"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::runtime
