#include "base/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warpwright {
namespace {

const std::vector<std::string> kNames = {"warps", "blocks", "registers", "warp_size"};

TEST(NearestName, FindsASlip) {
  EXPECT_EQ(nearestName("wraps", kNames), "warps");
  EXPECT_EQ(nearestName("register", kNames), "registers");
  EXPECT_EQ(nearestName("warpsize", kNames), "warp_size");
}

TEST(NearestName, FindsTheNameItself) { EXPECT_EQ(nearestName("blocks", kNames), "blocks"); }

TEST(NearestName, NamesNothingThatIsFarAway) {
  EXPECT_EQ(nearestName("zzzzzz", kNames), "");
  EXPECT_EQ(nearestName("x", {}), "");
}

}  // namespace
}  // namespace warpwright
