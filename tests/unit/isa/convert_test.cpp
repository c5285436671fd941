// cvt: exact values, rounding modes, clamping and NaN, derived from the PTX manual and from 113-bit arithmetic.
#include <gtest/gtest.h>

#include <random>

#include "unit/isa/exact_rounding.hpp"
#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

u64 convert(DataType to, DataType from, u64 x, isa::Rounding rounding = isa::Rounding::nearest, isa::Modifiers modifiers = {}) {
  modifiers.rounding = rounding;
  return result(operation(Opcode::cvt, to, modifiers, from), x);
}
isa::Modifiers saturate() {
  isa::Modifiers modifiers;
  modifiers.saturate = true;
  return modifiers;
}

TEST(Convert, BetweenIntegers) {
  EXPECT_EQ(convert(DataType::s32, DataType::s8, 0x1234'5680), 0xffff'ff80u);
  EXPECT_EQ(convert(DataType::u32, DataType::u8, 0x1234'5680), 0x80u);
  EXPECT_EQ(convert(DataType::s64, DataType::s32, 0x8000'0000), 0xffff'ffff'8000'0000u);
  EXPECT_EQ(convert(DataType::u64, DataType::u32, 0x8000'0000), 0x8000'0000u);
  EXPECT_EQ(convert(DataType::u64, DataType::s32, 0xffff'ffff), ~u64{0});
  EXPECT_EQ(convert(DataType::s16, DataType::u64, 0x1'8000), 0xffff'8000u);
  EXPECT_EQ(convert(DataType::u8, DataType::s32, 0x1ff), 0xffu);
}

TEST(Convert, BetweenIntegersSaturated) {
  const auto clamped = [](DataType to, DataType from, u64 x) { return convert(to, from, x, isa::Rounding::nearest, saturate()); };
  EXPECT_EQ(clamped(DataType::u8, DataType::s32, 300), 255u);
  EXPECT_EQ(clamped(DataType::u8, DataType::s32, static_cast<u32>(-1)), 0u);
  EXPECT_EQ(clamped(DataType::s8, DataType::s32, static_cast<u32>(-300)), 0xffff'ff80u);
  EXPECT_EQ(clamped(DataType::s8, DataType::u32, 0xffff'ffff), 0x7fu);
  EXPECT_EQ(clamped(DataType::s32, DataType::u64, ~u64{0}), 0x7fff'ffffu);
  EXPECT_EQ(clamped(DataType::u64, DataType::s32, static_cast<u32>(-5)), 0u);
  EXPECT_EQ(clamped(DataType::s64, DataType::u64, ~u64{0}), ~u64{0} >> 1);
  EXPECT_EQ(clamped(DataType::u32, DataType::s64, u64{1} << 40), 0xffff'ffffu);
}

template <class S>
void checkToFloat(DataType from) {
  std::mt19937_64 random(1);
  for (u32 i = 0; i < 4000; ++i) {
    const S x = i == 0 ? S{0} : static_cast<S>(random() >> random() % 64) * static_cast<S>(i % 2 == 0 ? 1 : -1);
    for (const isa::Rounding mode : kModes) {
      const u64 raw = sizeof(S) == 8 ? static_cast<u64>(x) : static_cast<u32>(x);
      ASSERT_EQ(convert(DataType::f32, from, raw, mode), bits(rounded<float>(Exact(x), mode))) << x << " mode " << static_cast<u32>(mode);
      ASSERT_EQ(convert(DataType::f64, from, raw, mode), bits(rounded<double>(Exact(x), mode))) << x << " mode " << static_cast<u32>(mode);
    }
  }
}
TEST(Convert, IntegersToFloatsRoundInEveryMode) {
  checkToFloat<u32>(DataType::u32);
  checkToFloat<s32>(DataType::s32);
  checkToFloat<u64>(DataType::u64);
  checkToFloat<s64>(DataType::s64);
  checkToFloat<s16>(DataType::s16);
  checkToFloat<u8>(DataType::u8);
}

TEST(Convert, DoublesToSinglesRoundInEveryMode) {
  std::mt19937_64 random(2);
  for (u32 i = 0; i < 20'000; ++i) {
    const double x = std::ldexp(static_cast<double>(random()) * (random() % 2 != 0 ? 1 : -1), static_cast<int>(random() % 300) - 220);
    for (const isa::Rounding mode : kModes)
      ASSERT_EQ(convert(DataType::f32, DataType::f64, bits(x), mode), bits(rounded<float>(x, mode))) << x;
  }
}

template <class T>
u64 toRange(double x, T low, T high) {
  return static_cast<u64>(x <= static_cast<double>(low) ? low : x >= static_cast<double>(high) ? high : static_cast<T>(x));
}
double integral(double x, isa::Rounding mode) {
  switch (mode) {
    case isa::Rounding::nearest:
      return std::nearbyint(x);
    case isa::Rounding::zero:
      return std::trunc(x);
    case isa::Rounding::down:
      return std::floor(x);
    case isa::Rounding::up:
      return std::ceil(x);
  }
  return x;
}

template <class T>
void checkToInteger(DataType to) {
  constexpr T kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  std::mt19937_64 random(3);
  for (u32 i = 0; i < 4000; ++i) {
    const float x =
        std::ldexp(static_cast<float>(random() % 4096) / (random() % 2 != 0 ? 8.0f : -8.0f), static_cast<int>(random() % 70) - 8);
    for (const isa::Rounding mode : kModes) {
      const u64 wanted = toRange<T>(integral(x, mode), kLow, kHigh), mask = sizeof(T) == 8 ? ~u64{0} : 0xffff'ffff;
      ASSERT_EQ(convert(to, DataType::f32, bits(x), mode), wanted & mask) << x << " mode " << static_cast<u32>(mode);
      ASSERT_EQ(convert(to, DataType::f64, bits(double{x}), mode), wanted & mask) << x << " mode " << static_cast<u32>(mode);
    }
  }
  for (const float infinite : {HUGE_VALF, -HUGE_VALF}) {
    const u64 wanted = static_cast<u64>(infinite > 0 ? kHigh : kLow) & (sizeof(T) == 8 ? ~u64{0} : 0xffff'ffff);
    EXPECT_EQ(convert(to, DataType::f32, bits(infinite), isa::Rounding::zero), wanted);
  }
}
TEST(Convert, FloatsToIntegersRoundAndClamp) {
  checkToInteger<u8>(DataType::u8);
  checkToInteger<s8>(DataType::s8);
  checkToInteger<u16>(DataType::u16);
  checkToInteger<s16>(DataType::s16);
  checkToInteger<u32>(DataType::u32);
  checkToInteger<s32>(DataType::s32);
  checkToInteger<u64>(DataType::u64);
  checkToInteger<s64>(DataType::s64);
}

// PTX ISA, cvt: NaN gives zero, except from f64 or to 64 bits, where only the top bit is set.
TEST(Convert, NanToInteger) {
  constexpr u64 kNan32 = 0x7fc0'0000, kNan64 = 0x7ff8'0000'0000'0000;
  EXPECT_EQ(convert(DataType::s32, DataType::f32, kNan32, isa::Rounding::zero), 0u);
  EXPECT_EQ(convert(DataType::u32, DataType::f32, kNan32, isa::Rounding::zero), 0u);
  EXPECT_EQ(convert(DataType::s64, DataType::f32, kNan32, isa::Rounding::zero), u64{1} << 63);
  EXPECT_EQ(convert(DataType::u64, DataType::f32, kNan32), u64{1} << 63);
  EXPECT_EQ(convert(DataType::s32, DataType::f64, kNan64, isa::Rounding::zero), 0x8000'0000u);
  EXPECT_EQ(convert(DataType::u32, DataType::f64, kNan64), 0x8000'0000u);
}

TEST(Convert, FloatsToIntegralFloats) {
  isa::Modifiers modifiers;
  modifiers.integral = true;
  for (const float x : {0.5f, 1.5f, -0.5f, -2.5f, 2.49f, 1e20f, -0.0f, 8388607.5f}) {
    for (const isa::Rounding mode : kModes) {
      EXPECT_EQ(convert(DataType::f32, DataType::f32, bits(x), mode, modifiers), bits(static_cast<float>(integral(x, mode)))) << x;
      EXPECT_EQ(convert(DataType::f64, DataType::f64, bits(double{x}), mode, modifiers), bits(integral(x, mode))) << x;
    }
  }
}

TEST(Convert, FlushesSubnormals) {
  isa::Modifiers ftz;
  ftz.ftz = true;
  EXPECT_EQ(convert(DataType::f64, DataType::f32, 0x8000'0001, isa::Rounding::nearest, ftz), bits(-0.0));
  EXPECT_EQ(convert(DataType::f32, DataType::f64, bits(1e-40), isa::Rounding::nearest, ftz), 0u);
  EXPECT_EQ(convert(DataType::s32, DataType::f32, 1, isa::Rounding::up, ftz), 0u);
  EXPECT_EQ(convert(DataType::s32, DataType::f32, 1, isa::Rounding::up), 1u);
  EXPECT_EQ(convert(DataType::f64, DataType::f32, 1), bits(0x1p-149));
}

TEST(Convert, SaturatesFloats) {
  EXPECT_EQ(convert(DataType::f32, DataType::f64, bits(1.5), isa::Rounding::nearest, saturate()), bits(1.0f));
  EXPECT_EQ(convert(DataType::f32, DataType::f32, bits(-1.5f), isa::Rounding::nearest, saturate()), 0u);
  EXPECT_EQ(convert(DataType::f32, DataType::f32, 0x7fc0'0000, isa::Rounding::nearest, saturate()), 0u);
  EXPECT_EQ(convert(DataType::f32, DataType::s32, 7, isa::Rounding::nearest, saturate()), bits(1.0f));
}

// Every half has a double that its definition gives: (-1)^s · 2^(e-15) · 1.f, subnormals 2^-14 · 0.f.
double valueOfNarrow(u32 x, u32 fractionBits, int bias) {
  const u32 exponentBits = 15 - fractionBits, exponent = x >> fractionBits & ((1u << exponentBits) - 1);
  const double fraction = static_cast<double>(x & ((1u << fractionBits) - 1)) / (1u << fractionBits);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, static_cast<int>(exponent) - bias);
  return (x & 0x8000) != 0 ? -magnitude : magnitude;
}

void checkNarrow(DataType type, u32 fractionBits, int bias) {
  const u32 infinity = 0x7fff >> fractionBits << fractionBits;
  for (u32 x = 0; x < 0x10000; ++x) {
    if ((x & 0x7fff) > infinity) {
      EXPECT_EQ(convert(DataType::f32, type, x), 0x7fff'ffffu);
      continue;
    }
    if ((x & 0x7fff) == infinity) continue;
    const double value = valueOfNarrow(x, fractionBits, bias);
    ASSERT_EQ(convert(DataType::f64, type, x), bits(value)) << x;
    ASSERT_EQ(convert(type, DataType::f64, bits(value)), x) << x;
    if (x >= 0x8000 || x + 1 == infinity) continue;
    // Between neighbours: halfway goes to even, directed modes to the ends.
    const double next = valueOfNarrow(x + 1, fractionBits, bias), middle = (value + next) / 2;
    ASSERT_EQ(convert(type, DataType::f64, bits(middle)), x + (x & 1));
    ASSERT_EQ(convert(type, DataType::f64, bits(std::nextafter(middle, next))), x + 1);
    ASSERT_EQ(convert(type, DataType::f64, bits(middle), isa::Rounding::zero), x);
    ASSERT_EQ(convert(type, DataType::f64, bits(middle), isa::Rounding::up), x + 1);
    ASSERT_EQ(convert(type, DataType::f64, bits(-middle), isa::Rounding::down), (x + 1) | 0x8000);
    ASSERT_EQ(convert(type, DataType::f64, bits(-middle), isa::Rounding::up), x | 0x8000);
  }
  EXPECT_EQ(convert(type, DataType::f64, bits(HUGE_VAL), isa::Rounding::zero), infinity);
  EXPECT_EQ(convert(type, DataType::f64, bits(1e300), isa::Rounding::zero), infinity - 1);
  EXPECT_EQ(convert(type, DataType::f64, bits(1e300)), infinity);
  EXPECT_EQ(convert(type, DataType::f64, bits(-1e300), isa::Rounding::up), 0x8000 | (infinity - 1));
  EXPECT_EQ(convert(type, DataType::f32, 0xffc0'1234), 0x7fffu);
}
TEST(Convert, SixteenBitFloats) {
  checkNarrow(DataType::f16, 10, 15);
  checkNarrow(DataType::bf16, 7, 127);
}
TEST(Convert, LongIntegersToSixteenBitFloatsRoundOnce) {
  // 2^40 + 2^32 is halfway between bf16 neighbours 2^40 and 2^40 + 2^33; one more decides upwards.
  EXPECT_EQ(convert(DataType::bf16, DataType::u64, (u64{1} << 40) + (u64{1} << 32)), convert(DataType::bf16, DataType::u64, u64{1} << 40));
  const u64 above = (u64{1} << 63) + (u64{1} << 55) + 1;
  EXPECT_EQ(convert(DataType::bf16, DataType::u64, above), 0x5f01u);
  EXPECT_EQ(convert(DataType::bf16, DataType::u64, above - 1), 0x5f00u);
  EXPECT_EQ(convert(DataType::f16, DataType::s32, static_cast<u32>(-2049)), 0xe800u);
  EXPECT_EQ(convert(DataType::f16, DataType::s32, static_cast<u32>(-2051)), 0xe802u);
}

}  // namespace
}  // namespace warpwright::test
