// tgamma and lgamma: a polynomial on [2, 3] reached by recurrence, Stirling's series for great arguments, reflection for negative ones.
#pragma once

#include "warpwright/math/power.h"
#include "warpwright/math/trigonometric.h"

namespace warpwright::math {

// gamma(x) for 12 <= x <= 172: x^(x - 1/2) exp(-x) sqrt(2 pi) (1 + …), the power in two halves against overflow.
WARPWRIGHT_MATH double gammaStirling(double x) {
  DoublePair exponent = multiply(logPair(x), x - 0.5);
  exponent = add(exponent, -x);
  exponent = add(exponent, DoublePair{kLogSqrtTwoPiHigh, kLogSqrtTwoPiLow});
  double inverse = 1.0 / x;
  exponent = add(exponent, inverse * polyStirling(inverse * inverse));
  double half = 0.5 * exponent.high;
  if (exponent.high < 700.0) return expPair(exponent);
  return expPair({half, exponent.low}) * exp(half);
}

// gamma(x) for -12 < x < 12 that is no pole.
WARPWRIGHT_MATH double gammaByRecurrence(double x) {
  DoublePair product = {1.0, 0.0};
  double y = x;
  while (y >= 3.0) {
    y -= 1.0;
    product = multiply(product, y);
  }
  if (y >= 2.0) return polyGamma(y - 2.0) * product.high + polyGamma(y - 2.0) * product.low;
  // Upwards: y + 1 … may round for |y| < 1; its error is part of the factors.
  DoublePair at = {y, 0.0};
  while (at.high < 2.0) {
    product = multiply(product, at);
    at = add(at, 1.0);
  }
  double t = at.high - 2.0 + at.low;
  return polyGamma(t) / (product.high + product.low);
}

WARPWRIGHT_MATH double tgamma(double x) {
  if (isNan(x)) return x;
  if (x == 0.0) return copysign(infinity(x), x);
  if (x == trunc(x) && x < 0.0) return notANumber();
  if (x > 171.7) return infinity(x);
  if (fabs(x) < 0x1p-60) return 1.0 / x;
  if (x >= 12.0) return gammaStirling(x);
  if (x > -12.0) return gammaByRecurrence(x);
  // gamma(x) gamma(1 - x) = pi / sin(pi x), gamma(1 - x) = -x gamma(-x).
  if (x < -185.0) return isOddInteger(floor(x)) ? -0.0 : 0.0;
  double y = -x, sine = sinpi(y);
  if (y < 170.0) return -kPiHigh / (y * sine * gammaStirling(y));
  double part = gammaStirling(y - 20.0);
  double rest = -kPiHigh / (y * sine * part);
  for (int i = 1; i <= 20; ++i) rest /= y - (double)i;
  return rest;
}

// log gamma(x) for x > 0.
WARPWRIGHT_MATH double lgammaPositive(double x) {
  if (x >= 8.0) {
    if (x > 0x1p1000) return x > 2.556e305 ? infinity(x) : x * (log(x) - 1.0);
    double inverse = 1.0 / x;
    DoublePair sum = multiply(add(logPair(x), -1.0), x);
    DoublePair half = logPair(x);
    sum = add(sum, DoublePair{-0.5 * half.high, -0.5 * half.low});
    sum = add(sum, DoublePair{kLogSqrtTwoPiHigh, kLogSqrtTwoPiLow});
    return add(sum, inverse * polyStirling(inverse * inverse)).high;
  }
  if (x >= 2.5) {
    double y = x, product = 1.0;
    while (y >= 2.5) {
      y -= 1.0;
      product *= y;
    }
    double t = y - 2.0;
    return fma(t, polyLgamma2(t), log(product));
  }
  if (x >= 1.5) return (x - 2.0) * polyLgamma2(x - 2.0);
  if (x >= 0.5) {
    double t = x - 1.0;
    return fma(t, polyLgamma2(t), -log1p(t));
  }
  return fma(x, polyLgamma2(x), -log1p(x)) - log(x);
}

WARPWRIGHT_MATH double lgamma(double x) {
  if (isNan(x)) return x;
  if (isInf(x)) return infinity(x);
  if (x > 0.0) return lgammaPositive(x);
  if (x == trunc(x)) return infinity(x);
  if (x > -0x1p-60) return -log(-x);
  // log |pi / (x sin(pi x))| - log gamma(-x)
  double y = -x;
  return log(kPiHigh / fabs(y * sinpi(y))) - lgammaPositive(y);
}

WARPWRIGHT_MATH float tgamma(float x) { return (float)tgamma((double)x); }
WARPWRIGHT_MATH float lgamma(float x) { return (float)lgamma((double)x); }

}  // namespace warpwright::math
