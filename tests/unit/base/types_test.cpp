#include "base/types.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(LowBits, AsManyAsAreAskedFor) {
  EXPECT_EQ(lowBits(0), 0u);
  EXPECT_EQ(lowBits(4), 0xfu);
  EXPECT_EQ(lowBits(32), 0xffff'ffffu);
  EXPECT_EQ(lowBits(63), 0x7fff'ffff'ffff'ffffu);
  EXPECT_EQ(lowBits(64), ~u64{0});
}

TEST(Dim3, CountsInSixtyFourBits) { EXPECT_EQ((Dim3{1u << 31, 65535, 65535}.count()), (u64{1} << 31) * 65535 * 65535); }

}  // namespace
}  // namespace warpwright
