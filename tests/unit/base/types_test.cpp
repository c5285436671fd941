#include "base/types.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(FirstLanes, SetsTheLowestBits) {
  EXPECT_EQ(firstLanes(0), 0u);
  EXPECT_EQ(firstLanes(4), 0xfu);
  EXPECT_EQ(firstLanes(32), 0xffff'ffffu);
  EXPECT_EQ(firstLanes(63), 0x7fff'ffff'ffff'ffffu);
  EXPECT_EQ(firstLanes(64), 0xffff'ffff'ffff'ffffu);
}

TEST(Dim3, CountsInSixtyFourBits) { EXPECT_EQ((Dim3{1u << 31, 65535, 65535}.count()), (u64{1} << 31) * 65535 * 65535); }

}  // namespace
}  // namespace warpwright
