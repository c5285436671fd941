// Floating-point semantics against exact arithmetic: 113-bit numbers hold the exact result of every operation on the operands
// chosen here, and rounding it is a matter of comparing neighbours.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "unit/isa/exact_rounding.hpp"
#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

template <class T>
struct Format;
template <>
struct Format<float> {
  static constexpr DataType kType = DataType::f32;
  static constexpr int kMinExponent = -140, kMaxExponent = 127;
};
template <>
struct Format<double> {
  static constexpr DataType kType = DataType::f64;
  static constexpr int kMinExponent = -1060, kMaxExponent = 1023;
};

// A number near 2^exponent with `precision` significant bits.
template <class T>
T randomNumber(std::mt19937_64& random, int exponent, int precision) {
  const T fraction = static_cast<T>(random() >> (64 - precision));
  const T value = std::ldexp(fraction, exponent - precision + static_cast<int>(random() % 20));
  return random() % 2 != 0 ? -value : value;
}

template <class T>
T value(u64 raw) {
  if constexpr (sizeof(T) == 8)
    return twice(raw);
  else
    return single(raw);
}

template <class T, class Expected>
void checkRounding(Opcode opcode, int precision, bool product, Expected expected) {
  std::mt19937_64 random(1);
  for (u32 i = 0; i < 3000; ++i) {
    const int range = Format<T>::kMaxExponent - Format<T>::kMinExponent;
    const int exponent = Format<T>::kMinExponent + static_cast<int>(random() % static_cast<u64>(range));
    const int half = product ? exponent / 2 : exponent;
    const T a = randomNumber<T>(random, half, precision), b = randomNumber<T>(random, product ? exponent - half : exponent, precision);
    const T c = randomNumber<T>(random, exponent, precision);
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c) || a == 0 || b == 0) continue;
    for (const isa::Rounding mode : kModes) {
      isa::Modifiers modifiers;
      modifiers.rounding = mode;
      const T got = value<T>(result(operation(opcode, Format<T>::kType, modifiers), bits(a), bits(b), bits(c)));
      const T wanted = rounded<T>(expected(Exact{a}, Exact{b}, Exact{c}), mode);
      ASSERT_EQ(got, wanted) << a << " " << b << " " << c << " mode " << static_cast<u32>(mode);
    }
  }
}

TEST(Float, SumsAndProductsRoundOnceInEveryMode) {
  const auto sum = [](Exact a, Exact b, Exact) { return a + b; };
  const auto difference = [](Exact a, Exact b, Exact) { return a - b; };
  const auto product = [](Exact a, Exact b, Exact) { return a * b; };
  const auto fused = [](Exact a, Exact b, Exact c) { return a * b + c; };
  checkRounding<float>(Opcode::add, 24, false, sum);
  checkRounding<float>(Opcode::sub, 24, false, difference);
  checkRounding<float>(Opcode::mul_lo, 24, true, product);
  checkRounding<float>(Opcode::fma, 24, true, fused);
  checkRounding<double>(Opcode::add, 53, false, sum);
  checkRounding<double>(Opcode::sub, 53, false, difference);
  checkRounding<double>(Opcode::mul_lo, 53, true, product);
  checkRounding<double>(Opcode::fma, 30, true, fused);
}

// Quotients of p-bit numbers lie no nearer than 2^-(2p+1) to a rounding boundary, so that 113 bits decide.
TEST(Float, QuotientsRoundOnceInEveryMode) {
  const auto quotient = [](Exact a, Exact b, Exact) { return a / b; };
  const auto reciprocal = [](Exact a, Exact, Exact) { return Exact{1} / a; };
  checkRounding<float>(Opcode::div, 24, false, quotient);
  checkRounding<double>(Opcode::div, 53, false, quotient);
  checkRounding<float>(Opcode::rcp, 24, true, reciprocal);
  checkRounding<double>(Opcode::rcp, 53, true, reciprocal);
}

template <class T>
void checkRoots() {
  std::mt19937_64 random(2);
  const T infinity = std::numeric_limits<T>::infinity();
  for (u32 i = 0; i < 5000; ++i) {
    const T a = std::abs(randomNumber<T>(random, static_cast<int>(random() % 200) - 100, sizeof(T) == 8 ? 53 : 24));
    const auto root = [&](isa::Rounding mode) {
      isa::Modifiers modifiers;
      modifiers.rounding = mode;
      return value<T>(result(operation(Opcode::sqrt, Format<T>::kType, modifiers), bits(a)));
    };
    const T low = root(isa::Rounding::down), high = root(isa::Rounding::up), nearest = root(isa::Rounding::nearest);
    ASSERT_TRUE(Exact{low} * low <= Exact{a});
    ASSERT_TRUE(Exact{high} * high >= Exact{a});
    ASSERT_TRUE(high == low ? Exact{low} * low == Exact{a} : high == std::nextafter(low, infinity));
    const Exact middle = (Exact{low} + Exact{high}) / 2;
    ASSERT_EQ(nearest, middle * middle < Exact{a} ? high : low) << a;
    ASSERT_EQ(root(isa::Rounding::zero), low);
  }
}
TEST(Float, RootsRoundOnceInEveryMode) {
  checkRoots<float>();
  checkRoots<double>();
}

constexpr u64 kNan32 = 0x7fff'ffff, kInfinity32 = 0x7f80'0000, kMinus32 = 0x8000'0000, kNan64 = 0xfff8'0000'0000'0000;

TEST(Float, NanResultsAreCanonical) {
  const Instruction add = operation(Opcode::add, DataType::f32), fma = operation(Opcode::fma, DataType::f32);
  EXPECT_EQ(result(add, 0x7fc0'1234, bits(1.0f)), kNan32);
  EXPECT_EQ(result(add, kInfinity32, kInfinity32 | kMinus32), kNan32);
  EXPECT_EQ(result(fma, 0, kInfinity32, 0x7f80'0001), kNan32);
  EXPECT_EQ(result(operation(Opcode::sqrt, DataType::f32), bits(-1.0f)), kNan32);
  EXPECT_EQ(result(operation(Opcode::div, DataType::f32), 0, 0), kNan32);
  EXPECT_EQ(result(operation(Opcode::mul_lo, DataType::f64), 0, bits(HUGE_VAL)), kNan64);
}

TEST(Float, FlushesSubnormalOperandsAndResultsKeepingTheSign) {
  isa::Modifiers ftz;
  ftz.ftz = true;
  const Instruction add = operation(Opcode::add, DataType::f32, ftz), multiply = operation(Opcode::mul_lo, DataType::f32, ftz);
  EXPECT_EQ(result(add, 0x8000'0001, 0x8000'0001), kMinus32);
  EXPECT_EQ(result(add, 0x0080'0001, 0x8080'0000), 0u);  // the difference is subnormal
  EXPECT_EQ(result(multiply, 0x0080'0000, bits(-0.5f)), kMinus32);
  EXPECT_EQ(result(multiply, 0x0000'0001, bits(1e30f)), 0u);
  EXPECT_EQ(result(operation(Opcode::abs, DataType::f32, ftz), 0x8000'0003), 0u);
  EXPECT_EQ(result(operation(Opcode::neg, DataType::f32, ftz), 0x0000'0003), kMinus32);
  EXPECT_EQ(result(operation(Opcode::rcp, DataType::f32, ftz), 0x8000'0003), kInfinity32 | kMinus32);
  EXPECT_EQ(result(operation(Opcode::add, DataType::f32), 0x8000'0001, 0x8000'0001), 0x8000'0002u);
}

TEST(Float, SaturatesToTheUnitInterval) {
  isa::Modifiers saturate;
  saturate.saturate = true;
  const Instruction add = operation(Opcode::add, DataType::f32, saturate);
  EXPECT_EQ(result(add, bits(0.75f), bits(0.5f)), bits(1.0f));
  EXPECT_EQ(result(add, bits(-0.75f), bits(0.5f)), 0u);
  EXPECT_EQ(result(add, kMinus32, kMinus32), 0u);
  EXPECT_EQ(result(add, kNan32, 0), 0u);
  EXPECT_EQ(result(add, bits(0.25f), bits(0.5f)), bits(0.75f));
  EXPECT_EQ(result(operation(Opcode::fma, DataType::f32, saturate), bits(3.0f), bits(3.0f), bits(1.0f)), bits(1.0f));
}

TEST(Float, MinimumAndMaximum) {
  isa::Modifiers nanMode;
  nanMode.nanMode = true;
  const auto least = [](u64 a, u64 b, const isa::Modifiers& m = {}) { return result(operation(Opcode::min, DataType::f32, m), a, b); };
  const auto greatest = [](u64 a, u64 b, const isa::Modifiers& m = {}) { return result(operation(Opcode::max, DataType::f32, m), a, b); };
  for (const auto& [a, b] : {std::pair<u64, u64>{0, kMinus32}, {kMinus32, 0}}) {
    EXPECT_EQ(least(a, b), kMinus32);
    EXPECT_EQ(greatest(a, b), 0u);
  }
  EXPECT_EQ(least(0x7fc0'0001, bits(2.0f)), bits(2.0f));
  EXPECT_EQ(greatest(bits(-2.0f), 0xffc0'0001), bits(-2.0f));
  EXPECT_EQ(least(0x7fc0'0001, 0xffc0'0002), kNan32);
  EXPECT_EQ(least(0x7fc0'0001, bits(2.0f), nanMode), kNan32);
  EXPECT_EQ(greatest(bits(2.0f), 0x7fc0'0001, nanMode), kNan32);
  EXPECT_EQ(least(bits(-1.0f), bits(2.0f)), bits(-1.0f));
  EXPECT_EQ(greatest(bits(-1.0f), bits(2.0f)), bits(2.0f));
  EXPECT_EQ(result(operation(Opcode::max, DataType::f64), bits(0.0), bits(-0.0)), bits(0.0));
}

TEST(Float, SignsAndProperties) {
  EXPECT_EQ(result(operation(Opcode::copysign, DataType::f32), bits(-1.0f), bits(3.0f)), bits(-3.0f));
  EXPECT_EQ(result(operation(Opcode::copysign, DataType::f64), bits(1.0), bits(-3.0)), bits(3.0));
  EXPECT_EQ(result(operation(Opcode::neg, DataType::f64), bits(0.0)), bits(-0.0));
  const auto test = [](isa::TestProperty property, u64 x) {
    isa::Modifiers modifiers;
    modifiers.test = property;
    return result(operation(Opcode::testp, DataType::f32, modifiers), x) != 0;
  };
  using enum isa::TestProperty;
  struct Row {
    u64 x;
    bool finite, infinite, number, notanumber, normal, subnormal;
  };
  for (const Row& row : {Row{0, true, false, true, false, true, false}, Row{1, true, false, true, false, false, true},
                         Row{bits(1.0f), true, false, true, false, true, false}, Row{kInfinity32, false, true, true, false, false, false},
                         Row{0xffc0'0001, false, false, false, true, false, false}}) {
    EXPECT_EQ(test(finite, row.x), row.finite) << row.x;
    EXPECT_EQ(test(infinite, row.x), row.infinite) << row.x;
    EXPECT_EQ(test(number, row.x), row.number) << row.x;
    EXPECT_EQ(test(notanumber, row.x), row.notanumber) << row.x;
    EXPECT_EQ(test(normal, row.x), row.normal) << row.x;
    EXPECT_EQ(test(subnormal, row.x), row.subnormal) << row.x;
  }
}

}  // namespace
}  // namespace warpwright::test
