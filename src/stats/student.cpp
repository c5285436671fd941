#include "stats/student.hpp"

#include <cmath>

namespace warpwright::stats {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;
// The normal distribution's quantile is then right to six digits.
constexpr double kManyDegrees = 1e6;

// The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), by the method of Lentz.
double betaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kPrecision = 1e-14;
  constexpr int kMostTerms = 10'000;
  const auto kept = [](double value) { return std::fabs(value) < kTiny ? kTiny : value; };
  double numerator = 1, denominator = 1 / kept(1 - (a + b) * x / (a + 1)), fraction = denominator;
  for (int m = 1; m < kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    denominator = 1 / kept(1 + even * denominator);
    numerator = kept(1 + even / numerator);
    fraction *= numerator * denominator;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / kept(1 + odd * denominator);
    numerator = kept(1 + odd / numerator);
    const double factor = numerator * denominator;
    fraction *= factor;
    if (std::fabs(factor - 1) < kPrecision) break;
  }
  return fraction;
}

// The regularised incomplete beta function.
double incompleteBeta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double factor = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  const bool converges = x < (a + 1) / (a + b + 2);
  return converges ? factor * betaFraction(a, b, x) / a : 1 - factor * betaFraction(b, a, 1 - x) / b;
}

// The share of values above t (Abramowitz and Stegun, 26.7.1).
double above(double t, double degrees) { return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2; }

}  // namespace

double studentQuantile(double degrees) {
  constexpr double kShareAbove = 0.025;
  if (degrees > kManyDegrees) return kNormalQuantile;
  double low = 0, high = kNormalQuantile;
  while (above(high, degrees) > kShareAbove) high *= 2;
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = (low + high) / 2;
    (above(middle, degrees) > kShareAbove ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace warpwright::stats
