// sin, cos, tan and their forms in half turns. Reduction to |r| <= pi/4: with three parts of pi/2 for moderate arguments
// (Cody and Waite), with the bits of 2/pi for great ones (Payne and Hanek).
#pragma once

#include "warpwright/math/constants.h"
#include "warpwright/math/double_double.h"
#include "warpwright/math/polynomials.h"

namespace warpwright::math {

struct Reduced {
  double high, low;
  int quadrant;  // modulo 4
};

// The fraction bits, as a 128-bit number in [-1/2, 1/2) of quarter turns, times pi/2.
WARPWRIGHT_MATH Reduced fromFraction(u64 high, u64 low, int quadrant, bool negative) {
  bool above = (high >> 63) != 0;
  if (above) {
    quadrant += 1;
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  // high:low / 2^128 in two doubles: 53 bits from the first set one on, then the next 64.
  int shift = high ? __builtin_clzll(high) : 64 + (low ? __builtin_clzll(low) : 63);
  u64 first = shift >= 64 ? low << (shift - 64) : (shift ? high << shift | low >> (64 - shift) : high);
  u64 second = shift >= 64 ? 0 : low << shift;
  u64 top = first >> 11;
  double head = (double)top * 0x1p-53;
  double tail = (double)(first & 0x7ff) * 0x1p-64 + (double)(second >> 11) * 0x1p-117;
  double unit = powerOfTwo(-shift);
  DoublePair product = multiply(fastTwoSum(head * unit, tail * unit), DoublePair{kHalfPiHigh, kHalfPiLow});
  bool flip = above != negative;
  quadrant = negative ? -quadrant : quadrant;
  return {flip ? -product.high : product.high, flip ? -product.low : product.low, quadrant & 3};
}

// x = m 2^q with a 53-bit integer m. Bits of 2/pi that m 2^q turns into multiples of 4 do not matter: the window of 192 bits
// starts two bits above the point of the product, whose quadrant then lies in bits 190 and 191, its fraction below.
WARPWRIGHT_MATH __attribute__((noinline)) Reduced reduceGreat(double x) {
  u64 bits = bitsOf(x);
  u64 m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  int start = (int)(bits >> 52 & 0x7ff) - 1075 - 2 + 64;
  int word = start >> 6, shift = start & 63;
  u64 window[3];
  for (int i = 0; i < 3; ++i) {
    u64 next = shift ? twoOverPiWord(word + i + 1) >> (64 - shift) : 0;
    window[i] = twoOverPiWord(word + i) << shift | next;
  }
  u64 lowPart = m * window[1];
  u64 low = lowPart + mulHigh(m, window[2]);
  u64 middle = m * window[0] + mulHigh(m, window[1]) + (low < lowPart);
  return fromFraction(middle << 2 | low >> 62, low << 2, (int)(middle >> 62), (bits >> 63) != 0);
}

WARPWRIGHT_MATH Reduced reduceQuarterTurns(double x) {
  if (fabs(x) > 100000.0) return reduceGreat(x);
  double k = rint(x * kTwoOverPi);
  // Exact: both are multiples of the last place of pi/2 and the difference is small.
  double r = fma(-k, kHalfPiHigh, x);
  DoublePair next = twoProduct(-k, kHalfPiLow);
  DoublePair sum = twoSum(r, next.high);
  double low = sum.low + fma(-k, kHalfPiLowest, next.low);
  DoublePair reduced = fastTwoSum(sum.high, low);
  return {reduced.high, reduced.low, (int)k & 3};
}

// sin(r + low) for |r| <= pi/4: sin r + low cos r.
WARPWRIGHT_MATH DoublePair sinReducedPair(double r, double low) {
  double z = r * r;
  return fastTwoSum(r, fma(z * r, polySinTail(z), fma(-0.5 * z, low, low)));
}
WARPWRIGHT_MATH double sinReduced(double r, double low) { return sinReducedPair(r, low).high; }

WARPWRIGHT_MATH DoublePair cosReducedPair(double r, double low) {
  double z = mulRn(r, r);
  double half = 0.5 * z;
  double head = addRn(1.0, -half);
  double lost = addRn(addRn(1.0, -head), -half) - 0.5 * fma(r, r, -z);
  return fastTwoSum(head, fma(z * z, polyCosTail(z), fma(-r, low, lost)));
}
WARPWRIGHT_MATH double cosReduced(double r, double low) { return cosReducedPair(r, low).high; }

WARPWRIGHT_MATH double sinQuadrant(Reduced r, int quadrant) {
  double value = quadrant & 1 ? cosReduced(r.high, r.low) : sinReduced(r.high, r.low);
  return quadrant & 2 ? -value : value;
}

WARPWRIGHT_MATH double sin(double x) {
  if (!isFinite(x)) return notANumber();
  if (x == 0.0) return x;
  Reduced r = reduceQuarterTurns(x);
  return sinQuadrant(r, r.quadrant);
}

WARPWRIGHT_MATH double cos(double x) {
  if (!isFinite(x)) return notANumber();
  Reduced r = reduceQuarterTurns(x);
  return sinQuadrant(r, r.quadrant + 1);
}

WARPWRIGHT_MATH void sincos(double x, double* sine, double* cosine) {
  if (!isFinite(x)) {
    *sine = *cosine = notANumber();
    return;
  }
  Reduced r = reduceQuarterTurns(x);
  double s = sinReduced(r.high, r.low), c = cosReduced(r.high, r.low);
  double first = r.quadrant & 1 ? c : s, second = r.quadrant & 1 ? s : c;
  *sine = x == 0.0 ? x : (r.quadrant & 2 ? -first : first);
  *cosine = (r.quadrant + 1) & 2 ? -second : second;
}

WARPWRIGHT_MATH double tan(double x) {
  if (!isFinite(x)) return notANumber();
  if (x == 0.0) return x;
  Reduced r = reduceQuarterTurns(x);
  DoublePair s = sinReducedPair(r.high, r.low), c = cosReducedPair(r.high, r.low);
  return r.quadrant & 1 ? -divide(c, s).high : divide(s, c).high;
}

// x in half turns: exact remainder, then times pi.
WARPWRIGHT_MATH Reduced reduceHalfTurns(double x) {
  double k = rint(2.0 * x);
  double f = fma(-0.5, k, x);
  DoublePair r = multiply(DoublePair{kPiHigh, kPiLow}, f);
  return {r.high, r.low, (int)(s64)fma(-4.0, rint(0.25 * k), k) & 3};
}

WARPWRIGHT_MATH double sinpi(double x) {
  if (!isFinite(x)) return notANumber();
  if (x == trunc(x)) return copysign(0.0, x);
  Reduced r = reduceHalfTurns(x);
  return sinQuadrant(r, r.quadrant);
}

WARPWRIGHT_MATH double cospi(double x) {
  if (!isFinite(x)) return notANumber();
  if (fabs(x) >= 0x1p53) return 1.0;
  Reduced r = reduceHalfTurns(x);
  return fabs(x - trunc(x)) == 0.5 ? 0.0 : sinQuadrant(r, r.quadrant + 1);
}

WARPWRIGHT_MATH void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}

// Single precision: the same steps with three parts of pi/2 up to 48039 (15 bits of quadrants), beyond it in double precision.
struct ReducedF {
  float value;
  int quadrant;
};

WARPWRIGHT_MATH __attribute__((noinline)) ReducedF reduceGreat(float x) {
  Reduced r = reduceQuarterTurns((double)x);
  return {(float)r.high, r.quadrant};
}

WARPWRIGHT_MATH ReducedF reduceQuarterTurns(float x) {
  if (fabs(x) > 48039.0f) return reduceGreat(x);
  float k = rint(x * kTwoOverPiF);
  float r = fma(-k, kHalfPiHighF, x);
  r = fma(-k, kHalfPiLowF, r);
  return {fma(-k, kHalfPiLowestF, r), (int)k & 3};
}

WARPWRIGHT_MATH float sinReduced(float r) {
  float z = r * r;
  return fma(z * r, polySinTail(z), r);
}
WARPWRIGHT_MATH float cosReduced(float r) {
  float z = r * r;
  return fma(z * z, polyCosTail(z), fma(-0.5f, z, 1.0f));
}

WARPWRIGHT_MATH float sinQuadrant(float r, int quadrant) {
  float value = quadrant & 1 ? cosReduced(r) : sinReduced(r);
  return quadrant & 2 ? -value : value;
}

WARPWRIGHT_MATH float sin(float x) {
  if (!isFinite(x)) return notANumberF();
  ReducedF r = reduceQuarterTurns(x);
  return x == 0.0f ? x : sinQuadrant(r.value, r.quadrant);
}

WARPWRIGHT_MATH float cos(float x) {
  if (!isFinite(x)) return notANumberF();
  ReducedF r = reduceQuarterTurns(x);
  return sinQuadrant(r.value, r.quadrant + 1);
}

WARPWRIGHT_MATH void sincos(float x, float* sine, float* cosine) {
  ReducedF r = isFinite(x) ? reduceQuarterTurns(x) : ReducedF{notANumberF(), 0};
  *sine = x == 0.0f ? x : sinQuadrant(r.value, r.quadrant);
  *cosine = sinQuadrant(r.value, r.quadrant + 1);
}

WARPWRIGHT_MATH float tan(float x) {
  if (!isFinite(x)) return notANumberF();
  if (x == 0.0f) return x;
  ReducedF r = reduceQuarterTurns(x);
  float s = sinReduced(r.value), c = cosReduced(r.value);
  return r.quadrant & 1 ? -c / s : s / c;
}

WARPWRIGHT_MATH float sinpi(float x) {
  if (!isFinite(x)) return notANumberF();
  if (x == trunc(x)) return copysign(0.0f, x);
  float k = rint(2.0f * x);
  float f = fma(-0.5f, k, x);
  return sinQuadrant(f * kPiF, (int)fma(-4.0f, rint(0.25f * k), k) & 3);
}
WARPWRIGHT_MATH float cospi(float x) {
  if (!isFinite(x)) return notANumberF();
  if (fabs(x) >= 0x1p24f) return 1.0f;
  if (fabs(x - trunc(x)) == 0.5f) return 0.0f;
  float k = rint(2.0f * x);
  float f = fma(-0.5f, k, x);
  return sinQuadrant(f * kPiF, ((int)fma(-4.0f, rint(0.25f * k), k) & 3) + 1);
}
WARPWRIGHT_MATH void sincospi(float x, float* sine, float* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}

}  // namespace warpwright::math
