// erf, erfc, erfcx, their inverses and the normal distribution.
#pragma once

#include "warpwright/math/exponential.h"
#include "warpwright/math/logarithm.h"

namespace warpwright::math {

// exp(x^2) erfc(x) for x >= 0, from a polynomial in (x - 4)/(x + 4), after Shepherd and Laframboise (1981), in two parts.
WARPWRIGHT_MATH DoublePair erfcxPositive(double x) {
  if (x > 0x1p40) return {kInverseSqrtPi / x, 0.0};
  DoublePair denominator = twoSum(x, 4.0);
  DoublePair q = divide(twoSum(x, -4.0), denominator);
  double value = polyErfcx(q.high);
  return divide(DoublePair{value, 0.0}, twoSum(1.0, 2.0 * x));
}

WARPWRIGHT_MATH double erfSmall(double x) { return fma(x, polyErfTail(x * x), x); }

// exp(-x^2), the square in two parts.
WARPWRIGHT_MATH double expMinusSquare(double x) {
  DoublePair square = twoProduct(x, x);
  return expPair({-square.high, -square.low});
}

// erfc(x) for x >= 1/2.
WARPWRIGHT_MATH double erfcTail(double x) {
  if (x > 27.3) return 0.0;
  DoublePair scaled = erfcxPositive(x);
  return expMinusSquare(x) * (scaled.high + scaled.low);
}

WARPWRIGHT_MATH double erf(double x) {
  double magnitude = fabs(x);
  if (isNan(x)) return x;
  if (magnitude < 1.0) return erfSmall(x);
  return copysign(magnitude > 6.0 ? 1.0 : 1.0 - erfcTail(magnitude), x);
}

WARPWRIGHT_MATH double erfc(double x) {
  if (isNan(x)) return x;
  if (x < 0.5) return x < -0.5 ? 2.0 - erfcTail(-x) : 1.0 - erfSmall(x);
  return erfcTail(x);
}

WARPWRIGHT_MATH double erfcx(double x) {
  if (isNan(x)) return x;
  if (x < -27.0) return infinity(x);
  if (x < 0.0) {
    DoublePair square = twoProduct(x, x);
    DoublePair scaled = erfcxPositive(-x);
    return fma(2.0, expPair(square), -(scaled.high + scaled.low));
  }
  return isInf(x) ? 0.0 : erfcxPositive(x).high;
}

// x with erfc(x) = y from w = -log(y (2 - y)) >= 6.25.
WARPWRIGHT_MATH double erfcinvUpper(double w) {
  double s = sqrt(w);
  return s * (s < 4.0 ? polyErfcinvMiddle(s - 3.25) : polyErfcinvFar(1.0 / s - 0.1875));
}

WARPWRIGHT_MATH double erfinv(double x) {
  double magnitude = fabs(x);
  if (!(magnitude <= 1.0)) return notANumber();
  if (magnitude == 1.0) return copysign(infinity(x), x);
  double w = -(log1p(-magnitude) + log1p(magnitude));
  if (w < 6.25) return x * polyErfinvCentral(w - 3.125);
  return copysign(erfcinvUpper(w), x);
}

WARPWRIGHT_MATH double erfcinv(double y) {
  if (!(y >= 0.0) || y > 2.0) return notANumber();
  if (y == 0.0 || y == 2.0) return y == 0.0 ? infinity(y) : -infinity(y);
  double small = y > 1.0 ? 2.0 - y : y;
  double x = 1.0 - small;
  double w = -(log(small) + log1p(x));
  double value = w < 6.25 ? x * polyErfinvCentral(w - 3.125) : erfcinvUpper(w);
  return y > 1.0 ? -value : value;
}

// erfc(-x / sqrt(2)) / 2, with the rounding of the division carried along: erfc has the slope -2/sqrt(pi) exp(-x^2).
WARPWRIGHT_MATH double normcdf(double x) {
  if (isNan(x)) return x;
  if (x < -38.6) return 0.0;
  if (x > 8.5) return 1.0;
  DoublePair t = multiply(DoublePair{kSqrtHalfHigh, kSqrtHalfLow}, -x);
  if (t.high < 0.5) return 0.5 * (erfc(t.high) - 2.0 * kInverseSqrtPi * t.low * expMinusSquare(t.high));
  DoublePair square = multiply(t, t);
  DoublePair scaled = erfcxPositive(t.high);
  // d erfcx/dx = 2x erfcx - 2/sqrt(pi).
  double correction = t.low * fma(2.0 * t.high, scaled.high, -2.0 * kInverseSqrtPi);
  return 0.5 * expPair({-square.high, -square.low}) * (scaled.high + (scaled.low + correction));
}

WARPWRIGHT_MATH double normcdfinv(double p) { return -kSqrtTwo * erfcinv(2.0 * p); }

WARPWRIGHT_MATH float erf(float x) {
  float magnitude = fabs(x);
  if (magnitude < 1.0f) return fma(x, polyErfTail(x * x), x);
  return (float)erf((double)x);
}
WARPWRIGHT_MATH float erfc(float x) { return (float)erfc((double)x); }
WARPWRIGHT_MATH float erfcx(float x) { return (float)erfcx((double)x); }
WARPWRIGHT_MATH float erfinv(float x) { return (float)erfinv((double)x); }
WARPWRIGHT_MATH float erfcinv(float x) { return (float)erfcinv((double)x); }
WARPWRIGHT_MATH float normcdf(float x) { return (float)normcdf((double)x); }
WARPWRIGHT_MATH float normcdfinv(float p) { return (float)normcdfinv((double)p); }

}  // namespace warpwright::math
