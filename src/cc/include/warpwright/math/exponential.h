// exp, exp2, exp10, expm1: x = k ln 2 + r with |r| <= ln(2)/2, a polynomial for r, then 2^k.
#pragma once

#include "warpwright/math/constants.h"
#include "warpwright/math/double_double.h"
#include "warpwright/math/polynomials.h"

namespace warpwright::math {

// exp(r + low) * 2^k for |r| <= 0.35 and a low part of at most its last place.
WARPWRIGHT_MATH double expReduced(double r, double low, int k) {
  double tail = fma(r * r, polyExpTail(r), low);
  return scale(1.0 + (r + tail), k);
}
WARPWRIGHT_MATH float expReduced(float r, float low, int k) {
  float tail = fma(r * r, polyExpTail(r), low);
  return scale(1.0f + (r + tail), k);
}

// exp(x.high + x.low), the base of pow and gamma.
WARPWRIGHT_MATH double expPair(DoublePair x) {
  if (!(x.high < 710.0)) return x.high != x.high ? x.high : infinity(0.0);
  if (x.high < -750.0) return 0.0;
  double k = rint(x.high * kInverseLn2High);
  double r = fma(-k, kLn2Head, x.high);
  DoublePair reduced = twoSum(r, fma(-k, kLn2Tail, x.low));
  return expReduced(reduced.high, reduced.low, (int)k);
}

WARPWRIGHT_MATH double exp(double x) { return expPair({x, 0.0}); }

// No branches: the clamped range still over- and underflows as it should.
WARPWRIGHT_MATH float exp(float x) {
  float bounded = fmin(fmax(x, -110.0f), 100.0f);
  float k = rint(bounded * kInverseLn2F);
  float r = fma(-k, kLn2HeadF, bounded);
  float result = expReduced(fma(-k, kLn2TailF, r), 0.0f, (int)k);
  return isNan(x) ? x : result;
}

WARPWRIGHT_MATH double exp2(double x) {
  if (!(x < 1024.0)) return isNan(x) ? x : infinity(0.0);
  if (x < -1080.0) return 0.0;
  double k = rint(x);
  DoublePair r = twoProduct(x - k, kLn2High);
  return expReduced(r.high, fma(x - k, kLn2Low, r.low), (int)k);
}

WARPWRIGHT_MATH float exp2(float x) {
  float bounded = fmin(fmax(x, -160.0f), 130.0f);
  float k = rint(bounded);
  float fraction = bounded - k;
  float r = mulRn(fraction, kLn2F);
  float result = expReduced(r, fma(fraction, kLn2LowF, fma(fraction, kLn2F, -r)), (int)k);
  return isNan(x) ? x : result;
}

WARPWRIGHT_MATH double exp10(double x) {
  if (!(x < 309.0)) return isNan(x) ? x : infinity(0.0);
  if (x < -330.0) return 0.0;
  double k = rint(x * kLog2Of10);
  // x - k log10(2), by a product that is exact enough: k has at most 11 bits.
  DoublePair head = twoProduct(-k, kLog10Of2High);
  DoublePair f = add(twoSum(x, head.high), head.low - k * kLog10Of2Low);
  DoublePair r = multiply(f, DoublePair{kLn10High, kLn10Low});
  return expReduced(r.high, r.low, (int)k);
}

WARPWRIGHT_MATH float exp10(float x) {
  if (!(x < 39.0f)) return isNan(x) ? x : infinity(0.0f);
  if (x < -47.0f) return 0.0f;
  return (float)exp10((double)x);
}

WARPWRIGHT_MATH double expm1(double x) {
  if (!(x < 710.0)) return isNan(x) ? x : infinity(0.0);
  if (x < -40.0) return -1.0;
  if (fabs(x) < 0x1p-54) return x;
  double k = rint(x * kInverseLn2High);
  DoublePair r = twoSum(fma(-k, kLn2Head, x), -k * kLn2Tail);
  double tail = fma(r.high * r.high, polyExpTail(r.high), r.low);
  if (k == 0.0) return r.high + tail;
  // 2^k (1 + r + tail) - 1, the two large terms first.
  double power = powerOfTwo((int)k - 1);
  DoublePair base = twoSum(power, -0.5);
  DoublePair sum = twoSum(base.high, power * r.high);
  return 2.0 * (sum.high + (sum.low + fma(power, tail, base.low)));
}
WARPWRIGHT_MATH float expm1(float x) { return (float)expm1((double)x); }

}  // namespace warpwright::math
