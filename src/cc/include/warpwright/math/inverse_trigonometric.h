// atan, atan2, asin, acos.
#pragma once

#include "warpwright/math/constants.h"
#include "warpwright/math/double_double.h"
#include "warpwright/math/polynomials.h"

namespace warpwright::math {

// atan(q + low) for 0 <= q <= 1, in two parts.
WARPWRIGHT_MATH DoublePair atanUnit(double q, double low) {
  double z = q * q;
  double slope = 1.0 / (1.0 + z);
  return fastTwoSum(q, fma(z * q, polyAtanTail(z), low * slope));
}

// The angle of a point in the first octant pair: numerator/denominator >= 0, either may be the greater.
WARPWRIGHT_MATH double atanQuotient(double numerator, double denominator) {
  bool steep = numerator > denominator;
  double small = steep ? denominator : numerator, great = steep ? numerator : denominator;
  double q = small / great;
  double low = fma(-q, great, small) / great;
  DoublePair angle = atanUnit(q, low);
  if (!steep) return angle.high + angle.low;
  return add(DoublePair{kHalfPiHigh, kHalfPiLow}, DoublePair{-angle.high, -angle.low}).high;
}

WARPWRIGHT_MATH double atan(double x) {
  if (isNan(x)) return x;
  double magnitude = fabs(x);
  if (magnitude > 0x1p60) return copysign(kHalfPiHigh, x);
  if (magnitude <= 1.0) {
    double z = x * x;
    return copysign(fma(z * x, polyAtanTail(z), x), x);
  }
  return copysign(atanQuotient(magnitude, 1.0), x);
}

WARPWRIGHT_MATH double atan2(double y, double x) {
  if (isNan(x) || isNan(y)) return x + y;
  double ay = fabs(y), ax = fabs(x);
  bool left = (bitsOf(x) >> 63) != 0;
  if (ay == 0.0) return copysign(left ? kPiHigh : 0.0, y);
  if (isInf(ax)) {
    double angle = left ? kPiHigh : 0.0;
    if (isInf(ay)) angle = left ? 3.0 * kQuarterPiHigh : kQuarterPiHigh;
    return copysign(angle, y);
  }
  if (isInf(ay)) return copysign(kHalfPiHigh, y);
  // Away from both ends of the exponent range, so that neither the quotient's remainder nor the operands lose bits.
  double greatest = fmax(ax, ay);
  double factor = greatest > 0x1p900 ? 0x1p-200 : (greatest < 0x1p-700 ? 0x1p300 : 1.0);
  double sy = ay * factor, sx = ax * factor;
  if (!left) {
    double exact = sx > sy * 0x1p60 ? ay / ax : atanQuotient(sy, sx);
    return copysign(exact, y);
  }
  bool steep = sy > sx;
  double small = steep ? sx : sy, great = steep ? sy : sx;
  double q = small / great;
  DoublePair angle = atanUnit(q, fma(-q, great, small) / great);
  DoublePair base = steep ? DoublePair{kHalfPiHigh, kHalfPiLow} : DoublePair{kPiHigh, kPiLow};
  double sign = steep ? 1.0 : -1.0;
  return copysign(add(base, DoublePair{sign * angle.high, sign * angle.low}).high, y);
}

// asin(x) for |x| <= 1/2.
WARPWRIGHT_MATH double asinSmall(double x) {
  double z = x * x;
  return fma(z * x, polyAsinTail(z), x);
}

// asin(sqrt(half)) in two parts, for 0 <= half <= 1/4: the second half of the quarter circle.
WARPWRIGHT_MATH DoublePair asinOfRoot(double half) {
  double root = sqrt(half);
  double low = root > 0.0 ? fma(-root, root, half) / (2.0 * root) : 0.0;
  return fastTwoSum(root, fma(half * root, polyAsinTail(half), low));
}

WARPWRIGHT_MATH double asin(double x) {
  double magnitude = fabs(x);
  if (!(magnitude <= 1.0)) return notANumber();
  if (magnitude <= 0.5) return asinSmall(x);
  DoublePair part = asinOfRoot(0.5 * (1.0 - magnitude));
  return copysign(add(DoublePair{kHalfPiHigh, kHalfPiLow}, DoublePair{-2.0 * part.high, -2.0 * part.low}).high, x);
}

WARPWRIGHT_MATH double acos(double x) {
  double magnitude = fabs(x);
  if (!(magnitude <= 1.0)) return notANumber();
  if (magnitude <= 0.5) {
    double z = x * x;
    DoublePair part = fastTwoSum(x, z * x * polyAsinTail(z));
    return add(DoublePair{kHalfPiHigh, kHalfPiLow}, DoublePair{-part.high, -part.low}).high;
  }
  DoublePair part = asinOfRoot(0.5 * (1.0 - magnitude));
  if (x > 0.0) return 2.0 * (part.high + part.low);
  return add(DoublePair{kPiHigh, kPiLow}, DoublePair{-2.0 * part.high, -2.0 * part.low}).high;
}

WARPWRIGHT_MATH float atan(float x) {
  float magnitude = fabs(x);
  bool steep = magnitude > 1.0f;
  float q = steep ? 1.0f / magnitude : magnitude;
  float z = q * q;
  float angle = fma(z * q, polyAtanTail(z), q);
  return copysign(steep ? kHalfPiHighF + (kHalfPiLowF - angle) : angle, x);
}
WARPWRIGHT_MATH float atan2(float y, float x) { return (float)atan2((double)y, (double)x); }

WARPWRIGHT_MATH float asin(float x) {
  float magnitude = fabs(x);
  bool outer = magnitude > 0.5f;
  float z = outer ? 0.5f * (1.0f - magnitude) : x * x;
  float base = outer ? sqrt(z) : magnitude;
  float part = fma(z * base, polyAsinTail(z), base);
  return copysign(outer ? fma(-2.0f, part, kHalfPiHighF) : part, x);
}
WARPWRIGHT_MATH float acos(float x) { return (float)acos((double)x); }

}  // namespace warpwright::math
