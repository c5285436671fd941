// Rounding to integers, parts of a number, fmod and its kin: exact functions.
#pragma once

#include "warpwright/math/define.h"

namespace warpwright::math {

// Halves away from zero.
template <typename T>
WARPWRIGHT_MATH T round(T x) {
  T whole = trunc(x);
  T rounded = fabs(x - whole) >= (T)0.5 ? whole + copysign((T)1, x) : whole;
  return copysign(rounded, x);
}

template <typename T>
WARPWRIGHT_MATH T fdim(T x, T y) {
  if (isNan(x) || isNan(y)) return x + y;
  return x > y ? x - y : (T)0;
}

template <typename T>
WARPWRIGHT_MATH T modf(T x, T* whole) {
  *whole = trunc(x);
  return copysign(isInf(x) ? (T)0 : x - *whole, x);
}

WARPWRIGHT_MATH double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0.0 || !isFinite(x)) return x;
  int offset = 0;
  if (fabs(x) < 0x1p-1022) {
    x *= 0x1p54;
    offset = -54;
  }
  u64 bits = bitsOf(x);
  *exponent = (int)(bits >> 52 & 0x7ff) - 1022 + offset;
  return fromBits((bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
WARPWRIGHT_MATH float frexp(float x, int* exponent) { return (float)frexp((double)x, exponent); }

// The exponents of frexp and ilogb differ by one; zero and the infinities have values of their own.
WARPWRIGHT_MATH int ilogb(double x) {
  if (x == 0.0 || isNan(x)) return -2147483647 - 1;
  if (isInf(x)) return 2147483647;
  int exponent;
  frexp(x, &exponent);
  return exponent - 1;
}
WARPWRIGHT_MATH int ilogb(float x) { return ilogb((double)x); }

template <typename T>
WARPWRIGHT_MATH T logb(T x) {
  if (x == (T)0) return -infinity(x);
  if (!isFinite(x)) return x * x;
  return (T)ilogb(x);
}

// One rounding, also to denormals: the factors are powers of two, all but the last exact.
WARPWRIGHT_MATH double ldexp(double x, int n) {
  if (n > 2200) n = 2200;
  if (n < -2200) n = -2200;
  int exponent;
  double fraction = frexp(x, &exponent);
  if (fraction == 0.0 || !isFinite(x)) return x;
  int total = exponent + n;
  if (total > 1100) total = 1100;
  if (total < -1100) total = -1100;
  if (total > 1000) return fraction * 0x1p1000 * powerOfTwo(total - 1000);
  if (total >= -1021) return fraction * powerOfTwo(total);
  return fraction * 0x1p-1000 * powerOfTwo(total + 1000);
}
WARPWRIGHT_MATH float ldexp(float x, int n) {
  // A float times 2^n, clamped to where its fate is settled, is exact in double precision, and rounds once.
  if (n > 400) n = 400;
  if (n < -400) n = -400;
  return (float)((double)x * powerOfTwo(n));
}

template <typename T>
WARPWRIGHT_MATH T scalbln(T x, long n) {
  return ldexp(x, n > 3000 ? 3000 : (n < -3000 ? -3000 : (int)n));
}

WARPWRIGHT_MATH double nextafter(double x, double y) {
  if (isNan(x) || isNan(y)) return x + y;
  if (x == y) return y;
  if (x == 0.0) return copysign(fromBits((u64)1), y);
  bool away = (x < y) == (x > 0.0);
  return fromBits(away ? bitsOf(x) + 1 : bitsOf(x) - 1);
}
WARPWRIGHT_MATH float nextafter(float x, float y) {
  if (isNan(x) || isNan(y)) return x + y;
  if (x == y) return y;
  if (x == 0.0f) return copysign(fromBits((u32)1), y);
  bool away = (x < y) == (x > 0.0f);
  return fromBits(away ? bitsOf(x) + 1 : bitsOf(x) - 1);
}

struct Division {
  u64 rest;      // of the scaled mantissas
  u32 quotient;  // its low 32 bits
  int exponent;  // rest * 2^exponent is the remainder
};

// Long division of |x| by |y|, both finite and not zero, one bit of quotient a step.
WARPWRIGHT_MATH Division divideMantissas(double x, double y) {
  int ex, ey;
  u64 mx = (u64)(frexp(fabs(x), &ex) * 0x1p53), my = (u64)(frexp(fabs(y), &ey) * 0x1p53);
  int steps = ex - ey;
  u32 quotient = 0;
  u64 rest = mx;
  for (int i = 0; i <= steps; ++i) {
    quotient <<= 1;
    if (rest >= my) {
      rest -= my;
      quotient |= 1;
    }
    if (i < steps) rest <<= 1;
  }
  return {rest, quotient, steps < 0 ? ex - 53 : ey - 53};
}

WARPWRIGHT_MATH double fmod(double x, double y) {
  if (isNan(x) || isNan(y) || isInf(x) || y == 0.0) return notANumber();
  if (fabs(x) < fabs(y)) return x;
  Division d = divideMantissas(x, y);
  return copysign(ldexp((double)d.rest, d.exponent), x);
}
WARPWRIGHT_MATH float fmod(float x, float y) { return (float)fmod((double)x, (double)y); }

WARPWRIGHT_MATH double remquo(double x, double y, int* quotient) {
  *quotient = 0;
  if (isNan(x) || isNan(y) || isInf(x) || y == 0.0) return notANumber();
  if (isInf(y) || x == 0.0) return x;
  double ay = fabs(y), rest = fabs(x);
  u32 whole = 0;
  if (rest >= ay) {
    Division d = divideMantissas(x, y);
    rest = ldexp((double)d.rest, d.exponent);
    whole = d.quotient;
  }
  // To the nearest, halves to even. Halving y could lose a bit of a denormal, doubling the rest could overflow.
  bool above = ay < 0x1p-1021 ? 2.0 * rest > ay : rest > 0.5 * ay;
  bool tie = ay < 0x1p-1021 ? 2.0 * rest == ay : rest == 0.5 * ay;
  if (above || (tie && (whole & 1))) {
    rest -= ay;
    whole += 1;
  }
  int low = (int)(whole & 0x7fffffffu);
  *quotient = (x < 0.0) != (y < 0.0) ? -low : low;
  rest = rest == 0.0 ? 0.0 : rest;
  return bitsOf(x) >> 63 ? -rest : rest;
}
WARPWRIGHT_MATH float remquo(float x, float y, int* quotient) { return (float)remquo((double)x, (double)y, quotient); }
template <typename T>
WARPWRIGHT_MATH T remainder(T x, T y) {
  int quotient;
  return remquo(x, y, &quotient);
}

}  // namespace warpwright::math
