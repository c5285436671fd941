// sinh, cosh, tanh and their inverses.
#pragma once

#include "warpwright/math/exponential.h"
#include "warpwright/math/logarithm.h"

namespace warpwright::math {

WARPWRIGHT_MATH double sinh(double x) {
  double magnitude = fabs(x);
  if (magnitude < 0x1p-28 || !isFinite(x)) return x;
  if (magnitude > 40.0) {
    double e = exp(0.5 * magnitude);
    return copysign(magnitude < 709.0 ? 0.5 * exp(magnitude) : 0.5 * e * e, x);
  }
  double e = expm1(magnitude);
  return copysign(0.5 * (e + e / (e + 1.0)), x);
}

WARPWRIGHT_MATH double cosh(double x) {
  double magnitude = fabs(x);
  if (magnitude > 709.0) {
    double e = exp(0.5 * magnitude);
    return 0.5 * e * e;
  }
  double e = exp(magnitude);
  return fma(0.5, e, 0.5 / e);
}

WARPWRIGHT_MATH double tanh(double x) {
  double magnitude = fabs(x);
  if (magnitude < 0x1p-28 || isNan(x)) return x;
  if (magnitude > 22.0) return copysign(1.0, x);
  double e = expm1(2.0 * magnitude);
  double value = magnitude > 0.55 ? 1.0 - 2.0 / (e + 2.0) : e / (e + 2.0);
  return copysign(value, x);
}

// log(sum) for a sum of two parts at least 1, and for sums near 1 its logarithm through the part above 1.
WARPWRIGHT_MATH double logOfPair(DoublePair x) {
  Mantissa m = splitNearOne(x.high);
  DoublePair part = logNearOne(m.value, scale(x.low, -m.exponent));
  double e = m.exponent;
  return add(fastTwoSum(e * kLn2Head, e * kLn2Tail), part).high;
}

// sqrt(x) of a two-part number.
WARPWRIGHT_MATH DoublePair sqrtPair(DoublePair x) {
  double root = sqrt(x.high);
  if (root == 0.0) return {0.0, 0.0};
  return fastTwoSum(root, (fma(-root, root, x.high) + x.low) / (2.0 * root));
}

WARPWRIGHT_MATH double asinh(double x) {
  double magnitude = fabs(x);
  if (magnitude < 0x1p-28 || !isFinite(x)) return x;
  if (magnitude > 0x1p28) return copysign(add(logPair(magnitude), DoublePair{kLn2High, kLn2Low}).high, x);
  // log1p(x + x^2 / (1 + sqrt(1 + x^2))), the argument in two parts.
  DoublePair square = twoProduct(magnitude, magnitude);
  DoublePair root = sqrtPair(add(square, 1.0));
  DoublePair above = add(divide(square, add(root, 1.0)), magnitude);
  if (magnitude > 0.4) return copysign(logOfPair(add(above, 1.0)), x);
  DoublePair sum = twoSum(1.0, above.high);
  DoublePair part = logNearOne(sum.high, sum.low + above.low);
  return copysign(part.high + part.low, x);
}

WARPWRIGHT_MATH double acosh(double x) {
  if (!(x >= 1.0)) return notANumber();
  if (isInf(x)) return x;
  if (x > 0x1p28) return add(logPair(x), DoublePair{kLn2High, kLn2Low}).high;
  double above = x - 1.0;
  // log1p(t + sqrt(2t + t^2)) with t = x - 1.
  DoublePair root = sqrtPair(add(twoProduct(above, above), 2.0 * above));
  DoublePair argument = add(root, above);
  DoublePair sum = add(argument, 1.0);
  Mantissa m = splitNearOne(sum.high);
  if (m.exponent != 0) return logOfPair(sum);
  DoublePair part = logNearOne(m.value, sum.low);
  return part.high + part.low;
}

WARPWRIGHT_MATH double atanh(double x) {
  double magnitude = fabs(x);
  if (!(magnitude <= 1.0)) return notANumber();
  if (magnitude == 1.0) return copysign(infinity(x), x);
  if (magnitude < 0x1p-28) return x;
  // log((1 + x) / (1 - x)) / 2; 1 - x may be inexact below 1/2.
  DoublePair quotient = divide(twoSum(1.0, magnitude), twoSum(1.0, -magnitude));
  return copysign(0.5 * logOfPair(quotient), x);
}

// Single precision: short in f32 where the result keeps its bits, else through f64.
WARPWRIGHT_MATH float sinh(float x) { return (float)sinh((double)x); }
WARPWRIGHT_MATH float cosh(float x) { return (float)cosh((double)x); }
WARPWRIGHT_MATH float tanh(float x) {
  float magnitude = fabs(x);
  if (magnitude < 0.55f) return (float)tanh((double)x);
  float e = exp(2.0f * magnitude);
  return copysign(isNan(x) ? x : 1.0f - 2.0f / (e + 1.0f), x);
}
WARPWRIGHT_MATH float asinh(float x) { return (float)asinh((double)x); }
WARPWRIGHT_MATH float acosh(float x) { return (float)acosh((double)x); }
WARPWRIGHT_MATH float atanh(float x) { return (float)atanh((double)x); }

}  // namespace warpwright::math
