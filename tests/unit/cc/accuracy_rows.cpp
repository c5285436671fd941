// The functions, the bounds that docs/device-math.md states, and the ranges that the measurement covers.
#include <cmath>

#include "unit/cc/accuracy.hpp"
#include "warpwright/math.h"

namespace warpwright::cc::test {
namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;

const Range kTiny = {1e-300, 1e-3, true, true};
const Range kUnit = {-1.0, 1.0};
const Range kTens = {-30.0, 30.0};
const Range kAny = {1e-300, 1e300, true, true};
const Range kPositive = {1e-307, 1e307, true};
const Range kNearOne = {0.5, 2.0};

long double sinHalfTurns(long double x) {
  const long double rest = std::fmod(x, 2.0L);
  const long double k = std::nearbyint(2.0L * rest);
  const long double r = (rest - 0.5L * k) * kPi;
  switch (static_cast<int>(k) & 3) {
    case 0:
      return std::sin(r);
    case 1:
      return std::cos(r);
    case 2:
      return -std::sin(r);
    default:
      return -std::cos(r);
  }
}
long double cosHalfTurns(long double x) { return sinHalfTurns(std::fmod(std::fabs(x), 2.0L) + 0.5L); }

// The inverses of the error function by Newton's method: on erf for small values, on the complement, which keeps its bits, for others.
long double inverseErfSmall(long double x) {
  long double y = 0.886L * x;
  for (int i = 0; i < 60; ++i) y -= (std::erf(y) - x) * std::exp(y * y) * std::sqrt(kPi) / 2.0L;
  return y;
}
long double inverseErfc(long double y) {
  if (y == 0.0L) return INFINITY;
  if (std::fabs(1.0L - y) < 0.5L) return inverseErfSmall(1.0L - y);
  if (y > 1.0L) return -inverseErfc(2.0L - y);
  long double x = std::sqrt(-std::log(y));
  for (int i = 0; i < 60; ++i) {
    const long double step = (std::erfc(x) - y) * std::exp(x * x) * std::sqrt(kPi) / 2.0L;
    x += step / (1.0L - x * step);
    if (std::fabs(step) < 1e-20L * std::fabs(x)) break;
  }
  return x;
}
long double inverseErf(long double x) {
  if (std::fabs(x) <= 0.5L) return inverseErfSmall(x);
  return std::copysign(inverseErfc(1.0L - std::fabs(x)), x);
}
// exp(x^2) erfc(x); beyond 100 the continued fraction, evaluated from its far end.
long double scaledErfc(long double x) {
  if (x < 20.0L) return std::exp(x * x) * std::erfc(x);
  long double tail = 0.0L;
  for (int k = 200; k > 0; --k) tail = 0.5L * k / (x + tail);
  return 1.0L / (std::sqrt(kPi) * (x + tail));
}

#define WARPWRIGHT_ROW(name, boundDouble, boundFloat, reference, ...)                                                                      \
  Row {                                                                                                                                    \
#name, boundDouble, boundFloat,                                                                                                        \
        [](double x,                                                                                                                       \
           double) { return math::name(x); }, [](float x,                                                                                  \
                                                 float) { return math::name(x); }, [](long double x, long double)                          \
                                                                                        -> long double { return reference; },              \
                                                                                                                           {__VA_ARGS__ }, \
    {}                                                                                                                                     \
  }
#define WARPWRIGHT_ROW_2(name, boundDouble, boundFloat, reference, first, second)                                                          \
  Row {                                                                                                                                    \
#name, boundDouble, boundFloat,                                                                                                        \
        [](double x,                                                                                                                       \
           double y) { return math::name(x, y); },                                                                                         \
                                                [](float x,                                                                                \
                                                   float y) { return math::name(x, y); },                                                  \
                                                                                       [](long double x, long double y)                    \
                                                                                            -> long double { return reference; },          \
                                                                                                                               {first }, { \
      second                                                                                                                               \
    }                                                                                                                                      \
  }

Row nearZeros(Row row, double absolute) {
  row.absolute = absolute;
  return row;
}

void addElementary(std::vector<Row>& rows) {
  const Range trigonometric = {1e-3, 1e5, true, true}, great = {1e5, 1e300, true, true}, greatFloat = {1e4, 1e30, true, true};
  rows.push_back(WARPWRIGHT_ROW(sin, 1.0, 2.0, std::sin(x), kUnit, kTens, trigonometric, great, greatFloat, kTiny));
  rows.push_back(WARPWRIGHT_ROW(cos, 1.0, 2.0, std::cos(x), kUnit, kTens, trigonometric, great, greatFloat, kTiny));
  rows.push_back(WARPWRIGHT_ROW(tan, 2.0, 4.0, std::tan(x), kUnit, kTens, trigonometric, great, greatFloat, kTiny));
  rows.push_back(WARPWRIGHT_ROW(sinpi, 2.0, 2.0, sinHalfTurns(x), kUnit, kTens, trigonometric));
  rows.push_back(WARPWRIGHT_ROW(cospi, 2.0, 2.0, cosHalfTurns(x), kUnit, kTens, trigonometric));
  rows.push_back(WARPWRIGHT_ROW(asin, 2.0, 3.0, std::asin(x), kUnit, kTiny));
  rows.push_back(WARPWRIGHT_ROW(acos, 2.0, 1.0, std::acos(x), kUnit, kTiny));
  rows.push_back(WARPWRIGHT_ROW(atan, 2.0, 2.0, std::atan(x), kUnit, kTens, kAny));
  rows.push_back(WARPWRIGHT_ROW(exp, 1.0, 2.0, std::exp(x), kUnit, (Range{-100, 88}), (Range{-745, 709}), kTiny));
  rows.push_back(WARPWRIGHT_ROW(exp2, 1.0, 2.0, std::exp2(x), kUnit, (Range{-150, 127}), (Range{-1074, 1023}), kTiny));
  rows.push_back(WARPWRIGHT_ROW(exp10, 1.0, 1.0, std::pow(10.0L, x), kUnit, (Range{-45, 38}), (Range{-323, 308}), kTiny));
  rows.push_back(WARPWRIGHT_ROW(expm1, 2.0, 1.0, std::expm1(x), kUnit, (Range{-40, 88}), (Range{-10, 709}), kTiny));
  rows.push_back(WARPWRIGHT_ROW(log, 1.0, 1.0, std::log(x), kNearOne, kPositive, (Range{0.99, 1.01})));
  rows.push_back(WARPWRIGHT_ROW(log2, 1.0, 2.0, std::log2(x), kNearOne, kPositive, (Range{0.99, 1.01})));
  rows.push_back(WARPWRIGHT_ROW(log10, 1.0, 2.0, std::log10(x), kNearOne, kPositive, (Range{0.99, 1.01})));
  rows.push_back(WARPWRIGHT_ROW(log1p, 1.0, 1.0, std::log1p(x), (Range{-0.999, 1}), kPositive, kTiny));
  rows.push_back(WARPWRIGHT_ROW(sinh, 3.0, 1.0, std::sinh(x), kUnit, kTens, (Range{-709, 709}), kTiny));
  rows.push_back(WARPWRIGHT_ROW(cosh, 2.0, 1.0, std::cosh(x), kUnit, kTens, (Range{-709, 709}), kTiny));
  rows.push_back(WARPWRIGHT_ROW(tanh, 3.0, 2.0, std::tanh(x), kUnit, kTens, kTiny));
  rows.push_back(WARPWRIGHT_ROW(asinh, 1.0, 1.0, std::asinh(x), kUnit, kTens, kAny));
  rows.push_back(WARPWRIGHT_ROW(acosh, 1.0, 1.0, std::acosh(x), (Range{1, 1.5}), (Range{1, 40}), (Range{1, 1e300, true})));
  rows.push_back(WARPWRIGHT_ROW(atanh, 1.0, 1.0, std::atanh(x), kUnit, kTiny));
}

void addRootsAndPowers(std::vector<Row>& rows) {
  rows.push_back(WARPWRIGHT_ROW(sqrt, 0.5, 0.5, std::sqrt(x), kPositive));
  rows.push_back(WARPWRIGHT_ROW(rsqrt, 1.0, 1.0, 1.0L / std::sqrt(x), kPositive));
  rows.push_back(WARPWRIGHT_ROW(cbrt, 1.0, 1.0, std::cbrt(x), kAny, kTens));
  rows.push_back(WARPWRIGHT_ROW(rcbrt, 2.0, 1.0, 1.0L / std::cbrt(x), kAny, kTens));
  const Range moderate = {1e-20, 1e20, true, true};
  rows.push_back(WARPWRIGHT_ROW_2(pow, 1.0, 4.0, std::pow(x, y), (Range{1e-10, 1e10, true}), (Range{-15, 15})));
  Row steep = WARPWRIGHT_ROW_2(pow, 1.0, 4.0, std::pow(x, y), (Range{0.9, 1.1}), (Range{-6000, 6000}));
  steep.name = "pow near 1";
  rows.push_back(steep);
  rows.push_back(WARPWRIGHT_ROW_2(hypot, 1.0, 1.0, std::hypot(x, y), moderate, moderate));
  rows.push_back(WARPWRIGHT_ROW_2(rhypot, 2.0, 1.0, 1.0L / std::hypot(x, y), moderate, moderate));
  rows.push_back(WARPWRIGHT_ROW_2(atan2, 2.0, 1.0, std::atan2(x, y), moderate, moderate));
  rows.push_back(WARPWRIGHT_ROW_2(fmod, 0.0, 0.0, std::fmod(x, y), moderate, (Range{1e-3, 1e3, true, true})));
  rows.push_back(WARPWRIGHT_ROW_2(remainder, 0.0, 0.0, std::remainder(x, y), moderate, (Range{1e-3, 1e3, true, true})));
}

void addSpecial(std::vector<Row>& rows) {
  rows.push_back(WARPWRIGHT_ROW(erf, 2.0, 2.0, std::erf(x), kUnit, (Range{-6, 6}), kTiny));
  rows.push_back(WARPWRIGHT_ROW(erfc, 5.0, 1.0, std::erfc(x), kUnit, (Range{-6, 6}), (Range{0, 26}), (Range{0, 9})));
  rows.push_back(WARPWRIGHT_ROW(erfcx, 4.0, 1.0, scaledErfc(x), (Range{-9, 9}), (Range{0, 30}), (Range{1, 1e30, true})));
  rows.push_back(WARPWRIGHT_ROW(erfinv, 5.0, 1.0, inverseErf(x), (Range{-0.9999, 0.9999}), kTiny, (Range{0.999, 0.999999})));
  rows.push_back(WARPWRIGHT_ROW(erfcinv, 9.0, 1.0, inverseErfc(x), (Range{0.001, 1.9}), (Range{1e-300, 0.01, true})));
  rows.push_back(WARPWRIGHT_ROW(normcdf, 5.0, 1.0, 0.5L * std::erfc(-x / std::sqrt(2.0L)), (Range{-10, 10}), (Range{-37, 0})));
  rows.push_back(
      WARPWRIGHT_ROW(normcdfinv, 10.0, 1.0, -std::sqrt(2.0L) * inverseErfc(2.0L * x), (Range{0.001, 0.49}), (Range{1e-300, 0.01, true})));
  rows.push_back(WARPWRIGHT_ROW(tgamma, 10.0, 1.0, std::tgamma(x), (Range{0.01, 12}), (Range{12, 171}), (Range{-10.9, -0.1}),
                                (Range{-33.9, 34}), kTiny));
  rows.push_back(nearZeros(
      WARPWRIGHT_ROW(lgamma, 8.0, 1.0, std::lgamma(x), (Range{0.01, 3}), (Range{3, 100}), (Range{100, 1e300, true}), (Range{-20, -0.01})),
      1.0));
  rows.push_back(nearZeros(WARPWRIGHT_ROW(j0, 6.0, 1.0, ::j0l(x), (Range{-8, 8}), (Range{8, 1000})), 1.0));
  rows.push_back(nearZeros(WARPWRIGHT_ROW(j1, 4.0, 1.0, ::j1l(x), (Range{-8, 8}), (Range{8, 1000})), 1.0));
  rows.push_back(nearZeros(WARPWRIGHT_ROW(y0, 12.0, 1.0, ::y0l(x), (Range{0.001, 8}), (Range{8, 1000})), 1.0));
  rows.push_back(nearZeros(WARPWRIGHT_ROW(y1, 4.0, 1.0, ::y1l(x), (Range{0.001, 8}), (Range{8, 1000})), 1.0));
  rows.push_back(WARPWRIGHT_ROW(cyl_bessel_i0, 6.0, 1.0, std::cyl_bessel_il(0.0L, std::fabs(x)), (Range{-8, 8}), (Range{8, 80})));
  rows.push_back(
      WARPWRIGHT_ROW(cyl_bessel_i1, 6.0, 1.0, std::copysign(std::cyl_bessel_il(1.0L, std::fabs(x)), x), (Range{-8, 8}), (Range{8, 80})));
}

std::vector<Row> allRows() {
  std::vector<Row> rows;
  addElementary(rows);
  addRootsAndPowers(rows);
  addSpecial(rows);
  return rows;
}

}  // namespace

const std::vector<Row>& accuracyRows() {
  static const std::vector<Row> rows = allRows();
  return rows;
}

}  // namespace warpwright::cc::test
