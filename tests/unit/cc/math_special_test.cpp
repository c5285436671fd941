// Zeros, infinities, NaN, denormals and exact functions, against the host's C library.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "warpwright/math.h"

namespace {

namespace math = warpwright::math;

template <typename T>
std::vector<T> specials() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      0, Limits::infinity(), Limits::max(), Limits::min(), Limits::denorm_min(), T(0.5), 1, 2, 3, T(0.25), T(1e-5), 100, T(1.5)};
  const size_t count = values.size();
  for (size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  return values;
}

// Same kind of number, same sign of zero, and for ordinary results within a few units in the last place.
template <typename T>
void expectAlike(T computed, T expected, const char* name, T x, T y = 0) {
  SCOPED_TRACE(::testing::Message() << name << "(" << x << ", " << y << ") = " << computed << ", expected " << expected);
  EXPECT_EQ(std::isnan(computed), std::isnan(expected));
  if (std::isnan(expected)) return;
  EXPECT_EQ(std::signbit(computed), std::signbit(expected));
  EXPECT_EQ(std::isinf(computed), std::isinf(expected));
  if (std::isinf(expected)) return;
  EXPECT_LE(std::fabs(computed - expected),
            8 * std::numeric_limits<T>::epsilon() * std::fabs(expected) + 2 * std::numeric_limits<T>::denorm_min());
}

#define EXPECT_LIKE_HOST(name)                                                            \
  for (double x : specials<double>()) expectAlike(math::name(x), std::name(x), #name, x); \
  for (float x : specials<float>()) expectAlike(math::name(x), std::name(x), #name "f", x)

TEST(MathSpecial, OneArgument) {
  EXPECT_LIKE_HOST(sin);
  EXPECT_LIKE_HOST(cos);
  EXPECT_LIKE_HOST(exp);
  EXPECT_LIKE_HOST(exp2);
  EXPECT_LIKE_HOST(expm1);
  EXPECT_LIKE_HOST(log);
  EXPECT_LIKE_HOST(log2);
  EXPECT_LIKE_HOST(log10);
  EXPECT_LIKE_HOST(log1p);
  EXPECT_LIKE_HOST(asin);
  EXPECT_LIKE_HOST(acos);
  EXPECT_LIKE_HOST(atan);
  EXPECT_LIKE_HOST(sinh);
  EXPECT_LIKE_HOST(cosh);
  EXPECT_LIKE_HOST(tanh);
  EXPECT_LIKE_HOST(asinh);
  EXPECT_LIKE_HOST(acosh);
  EXPECT_LIKE_HOST(atanh);
  EXPECT_LIKE_HOST(cbrt);
  EXPECT_LIKE_HOST(erf);
  EXPECT_LIKE_HOST(erfc);
  EXPECT_LIKE_HOST(lgamma);
  EXPECT_LIKE_HOST(round);
  EXPECT_LIKE_HOST(logb);
}

TEST(MathSpecial, TangentNearItsPolesIsAccurate) {
  for (double x : {1.5707963267948966, 4.71238898038469, 1e22}) expectAlike(math::tan(x), std::tan(x), "tan", x);
}

TEST(MathSpecial, GammaHasPolesAtTheNonPositiveIntegers) {
  EXPECT_TRUE(std::isnan(math::tgamma(-3.0)));
  EXPECT_EQ(math::tgamma(5.0), 24.0);
  EXPECT_TRUE(std::isinf(math::tgamma(172.0)));
  EXPECT_EQ(math::tgamma(0.0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isinf(math::lgamma(-2.0)));
}

#define EXPECT_LIKE_HOST_2(name)                                                                     \
  for (double x : specials<double>())                                                                \
    for (double y : specials<double>()) expectAlike(math::name(x, y), std::name(x, y), #name, x, y); \
  for (float x : specials<float>())                                                                  \
    for (float y : specials<float>()) expectAlike(math::name(x, y), std::name(x, y), #name "f", x, y)

TEST(MathSpecial, TwoArguments) {
  EXPECT_LIKE_HOST_2(pow);
  EXPECT_LIKE_HOST_2(atan2);
  EXPECT_LIKE_HOST_2(hypot);
  EXPECT_LIKE_HOST_2(fmod);
  EXPECT_LIKE_HOST_2(remainder);
  EXPECT_LIKE_HOST_2(nextafter);
  EXPECT_LIKE_HOST_2(fdim);
}

// These are exact for every argument.
TEST(MathSpecial, PartsAndScalingAreExact) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double x = __builtin_bit_cast(double, random());
    if (std::isnan(x)) continue;
    int exponent = 0, expectedExponent = 0;
    EXPECT_EQ(math::frexp(x, &exponent), std::frexp(x, &expectedExponent));
    if (std::isfinite(x)) {
      EXPECT_EQ(exponent, expectedExponent);
      EXPECT_EQ(math::ilogb(x), std::ilogb(x));
    }
    const int n = static_cast<int>(random() % 4400) - 2200;
    EXPECT_EQ(math::ldexp(x, n), std::ldexp(x, n)) << x << " " << n;
    EXPECT_EQ(math::ldexp(static_cast<float>(x), n), std::ldexp(static_cast<float>(x), n));
    double whole = 0, expectedWhole = 0;
    EXPECT_EQ(math::modf(x, &whole), std::modf(x, &expectedWhole));
    EXPECT_EQ(whole, expectedWhole);
    EXPECT_EQ(math::round(x), std::round(x));
  }
}

TEST(MathSpecial, RemainderAndQuotientAreExact) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 3000; ++i) {
    const double x = __builtin_bit_cast(double, random()), y = __builtin_bit_cast(double, random());
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    EXPECT_EQ(math::fmod(x, y), std::fmod(x, y)) << x << " " << y;
    int quotient = 0, expected = 0;
    EXPECT_EQ(math::remquo(x, y, &quotient), std::remquo(x, y, &expected)) << x << " " << y;
    EXPECT_EQ(quotient & 7, expected & 7) << x << " " << y;
  }
}

TEST(MathSpecial, IntegerPowers) {
  EXPECT_EQ(math::powi(2.0, 10), 1024.0);
  EXPECT_EQ(math::powi(2.0f, -2), 0.25f);
  EXPECT_EQ(math::powi(5.0, 0), 1.0);
  EXPECT_EQ(math::pow(-2.0, 3.0), -8.0);
  EXPECT_TRUE(std::isnan(math::pow(-2.0, 0.5)));
}

TEST(MathSpecial, HalfTurnsAreExactAtMultiples) {
  for (double x : {0.0, 1.0, 2.0, 1e15}) EXPECT_EQ(math::sinpi(x), 0.0);
  for (double x : {0.5, 1.5, -2.5}) EXPECT_EQ(math::cospi(x), 0.0);
  EXPECT_EQ(math::cospi(1.0), -1.0);
  EXPECT_EQ(math::sinpi(-1.5), 1.0);
}

TEST(MathSpecial, BesselFunctionsOfIntegerOrder) {
  for (int n = 0; n <= 12; ++n) {
    for (double x : {0.3, 2.0, 7.5, 12.0, 40.0}) {
      EXPECT_NEAR(math::jn(n, x), ::jn(n, x), 4e-15 + 1e-13 * std::fabs(::jn(n, x))) << n << " " << x;
      EXPECT_NEAR(math::yn(n, x), ::yn(n, x), 4e-15 + 1e-12 * std::fabs(::yn(n, x))) << n << " " << x;
    }
  }
}

TEST(MathSpecial, Norms) {
  EXPECT_EQ(math::norm3d(2.0, 3.0, 6.0), 7.0);
  EXPECT_EQ(math::norm4d(1.0f, 1.0f, 1.0f, 1.0f), 2.0f);
  EXPECT_EQ(math::hypot(3e300, 4e300), 5e300);
  EXPECT_EQ(math::hypot(3e-320, 4e-320), 5e-320);
  const double values[5] = {1, 2, 4, 10, 2};
  EXPECT_NEAR(math::normOf(5, values, false), std::sqrt(125.0), 1e-14);
}

}  // namespace
