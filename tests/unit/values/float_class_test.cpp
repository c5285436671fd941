#include "values/float_class.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace warpwright::values {
namespace {

std::vector<u32> bits(float base, float stride) {
  std::vector<u32> lanes;
  for (u32 lane = 0; lane < 32; ++lane) lanes.push_back(std::bit_cast<u32>(std::fma(static_cast<float>(lane), stride, base)));
  return lanes;
}

bool isAffine(const std::vector<u32>& lanes, LaneMask active = LaneMask::first(32)) { return isFloatAffine(lanes.data(), active); }

TEST(FloatClass, NumbersWithAStride) {
  EXPECT_TRUE(isAffine(bits(1.5F, 0.25F)));
  EXPECT_TRUE(isAffine(bits(-3.0F, 0)));
  EXPECT_TRUE(isAffine(bits(100.0F, -2.0F)));
  auto lanes = bits(1.5F, 0.25F);
  lanes[20] ^= 1;
  EXPECT_FALSE(isAffine(lanes));
  EXPECT_TRUE(isAffine(lanes, LaneMask::first(32) & ~(LaneMask::of(20))));
}

TEST(FloatClass, InfinitiesAndNaNAreAffineOnlyWhenUniform) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(isAffine(std::vector<u32>(32, std::bit_cast<u32>(nan))));
  auto lanes = bits(1, 1);
  lanes[1] = std::bit_cast<u32>(infinity);
  EXPECT_FALSE(isAffine(lanes));
  lanes[0] = lanes[1];
  EXPECT_FALSE(isAffine(lanes));
}

TEST(FloatClass, SquaresAreNotAffine) {
  std::vector<u32> lanes;
  for (u32 lane = 0; lane < 32; ++lane) lanes.push_back(std::bit_cast<u32>(static_cast<float>(lane * lane)));
  EXPECT_FALSE(isAffine(lanes));
  EXPECT_TRUE(isAffine(lanes, LaneMask{3})) << "two lanes";
}

}  // namespace
}  // namespace warpwright::values
