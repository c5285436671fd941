// The 16-bit and 8-bit numbers of the device headers on the host.
#include <gtest/gtest.h>

#include <cmath>

#include "cuda_fp8.h"

namespace warpwright::cc {
namespace {

TEST(HalfHost, EveryPatternSurvivesFloat) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __half half = __ushort_as_half(static_cast<unsigned short>(bits));
    const __nv_bfloat16 brain = __ushort_as_bfloat16(static_cast<unsigned short>(bits));
    const float value = half;
    EXPECT_TRUE(__hisnan(half) ? std::isnan(value) : __half_as_ushort(__half(value)) == bits) << bits;
    const float wide = brain;
    EXPECT_TRUE(__hisnan(brain) ? std::isnan(wide) : __bfloat16_as_ushort(__nv_bfloat16(wide)) == bits) << bits;
  }
}

TEST(HalfHost, ConversionsRoundInTheNamedDirection) {
  const float above = 1.0f + 0x1p-11f;  // halfway between 1 and its successor in f16
  EXPECT_EQ(__half_as_ushort(__float2half_rn(above)), 0x3c00);
  EXPECT_EQ(__half_as_ushort(__float2half_ru(above)), 0x3c01);
  EXPECT_EQ(__half_as_ushort(__float2half_rd(-above)), 0xbc01);
  EXPECT_EQ(__half_as_ushort(__float2half_rz(-above)), 0xbc00);
  EXPECT_EQ(__half_as_ushort(__float2half_rn(65520.0f)), 0x7c00);
  EXPECT_EQ(__half_as_ushort(__float2half_rz(65520.0f)), 0x7bff);
  EXPECT_EQ(__half2int_rn(__half(2.5f)), 2);
  EXPECT_EQ(__half2int_ru(__half(-2.5f)), -2);
}

// 1.0625 * 1.0625 = 1.12890625 lies halfway between two bf16 numbers; the addend, however small, decides.
TEST(HalfHost, FusedMultiplyAddRoundsOnce) {
  const __nv_bfloat16 factor = 1.0625f, tiny = __ushort_as_bfloat16(1), down = __ushort_as_bfloat16(0x8001);
  EXPECT_EQ(static_cast<float>(__hfma(factor, factor, tiny)), 1.1328125f);
  EXPECT_EQ(static_cast<float>(__hfma(factor, factor, down)), 1.125f);
}

TEST(HalfHost, PairsCompareHalfByHalf) {
  const __half2 a(1.0f, 2.0f), b(1.0f, NAN);
  EXPECT_EQ(__heq2_mask(a, b), 0x0000ffffu);
  EXPECT_EQ(__hneu2_mask(a, b), 0xffff0000u);
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(a != b);  // both halves must differ, as in CUDA
}

TEST(HalfHost, EightBitsSaturate) {
  EXPECT_EQ(static_cast<float>(__nv_fp8_e4m3(3.3f)), 3.25f);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e4m3(1000.0f)), 448.0f);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e5m2(-1e9f)), -57344.0f);
  EXPECT_TRUE(std::isnan(static_cast<float>(__nv_fp8_e4m3(NAN))));
  EXPECT_EQ(__nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_E5M2), 0x7c);
}

// 1.0625 lies halfway between two numbers, of which the lower is even; what a float cannot hold decides.
TEST(HalfHost, DoublesRoundOnceToEightBits) {
  EXPECT_EQ(static_cast<float>(__nv_fp8_e4m3(1.0625)), 1.0f);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e4m3(1.0625 + 0x1p-40)), 1.125f);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e4m3(-1.1875 + 0x1p-40)), -1.125f);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e5m2(1e300)), 57344.0f);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e5m2(-1e-300)), 0.0f);
}

}  // namespace
}  // namespace warpwright::cc
