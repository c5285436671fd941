// log, log2, log10, log1p: x = 2^e m with m near 1, log m = 2 atanh((m-1)/(m+1)).
#pragma once

#include "warpwright/math/constants.h"
#include "warpwright/math/double_double.h"
#include "warpwright/math/polynomials.h"

namespace warpwright::math {

struct Mantissa {
  double value;  // in [sqrt(1/2), sqrt(2))
  int exponent;
};

// Of a positive finite number.
WARPWRIGHT_MATH Mantissa splitNearOne(double x) {
  int exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  u64 bits = bitsOf(x);
  // Adding the distance from sqrt(1/2) to 1 carries into the exponent exactly when the mantissa is above sqrt(2).
  u64 shifted = bits + (0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull);
  int power = (int)(shifted >> 52) - 1023;
  return {fromBits(bits - ((u64)(s64)power << 52)), exponent + power};
}

// log(m + low) for m in [0.7, 1.42], with about 63 correct bits.
WARPWRIGHT_MATH DoublePair logNearOne(double m, double low) {
  DoublePair numerator = fastTwoSum(m - 1.0, low);
  DoublePair sum = twoSum(2.0, numerator.high);
  DoublePair s = divide(numerator, DoublePair{sum.high, sum.low + numerator.low});
  double z = s.high * s.high;
  double zLow = fma(2.0 * s.high, s.low, fma(s.high, s.high, -z));
  // 1/3 + z R(z) in two parts: the rounding of a single double would cost the last bits of pow.
  DoublePair series = fastTwoSum(kOneThirdHigh, z * polyAtanhTail2(z));
  DoublePair cubic = multiply(DoublePair{z, zLow}, DoublePair{series.high, series.low + kOneThirdLow});
  DoublePair correction = multiply(cubic, s);
  return add(DoublePair{2.0 * s.high, 2.0 * s.low}, DoublePair{2.0 * correction.high, 2.0 * correction.low});
}

// log x for positive finite x, with about 63 correct bits.
WARPWRIGHT_MATH DoublePair logPair(double x) {
  Mantissa m = splitNearOne(x);
  DoublePair part = logNearOne(m.value, 0.0);
  double e = m.exponent;
  if (m.exponent == 0) return part;
  DoublePair whole = fastTwoSum(e * kLn2Head, e * kLn2Tail);
  return add(whole, part);
}

// What log makes of zero, negative numbers, infinities and NaN.
template <typename T>
WARPWRIGHT_MATH bool isLogSpecial(T x) {
  return !(x > (T)0) || isInf(x);
}
template <typename T>
WARPWRIGHT_MATH T logSpecial(T x) {
  if (x == (T)0) return -infinity(x);
  return x < (T)0 ? (T)notANumber() : x;
}

// log m + e ln 2 from s alone, one division: accurate to about 0.6 units in the last place.
WARPWRIGHT_MATH double log(double x) {
  if (isLogSpecial(x)) return logSpecial(x);
  Mantissa m = splitNearOne(x);
  double f = m.value - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  double tail = z * polyAtanhTail(z);
  // 2s = f - s f exactly, which keeps the error of the division small.
  double e = m.exponent;
  DoublePair whole = fastTwoSum(e * kLn2Head, f);
  if (m.exponent == 0) whole = {f, 0.0};
  double rest = fma(s, fma(2.0, tail, -f), e * kLn2Tail);
  return whole.high + (whole.low + rest);
}

WARPWRIGHT_MATH double log2(double x) {
  if (isLogSpecial(x)) return logSpecial(x);
  Mantissa m = splitNearOne(x);
  DoublePair part = multiply(logNearOne(m.value, 0.0), DoublePair{kInverseLn2High, kInverseLn2Low});
  return add(part, (double)m.exponent).high;
}

WARPWRIGHT_MATH double log10(double x) {
  if (isLogSpecial(x)) return logSpecial(x);
  return multiply(logPair(x), DoublePair{kInverseLn10High, kInverseLn10Low}).high;
}

WARPWRIGHT_MATH double log1p(double x) {
  if (!(x > -1.0)) return x == -1.0 ? -infinity(x) : notANumber();
  if (isInf(x) || fabs(x) < 0x1p-54) return x;
  DoublePair sum = twoSum(1.0, x);
  Mantissa m = splitNearOne(sum.high);
  DoublePair part = logNearOne(m.value, scale(sum.low, -m.exponent));
  double e = m.exponent;
  if (m.exponent == 0) return part.high + part.low;
  return add(fastTwoSum(e * kLn2Head, e * kLn2Tail), part).high;
}
WARPWRIGHT_MATH float log1p(float x) { return (float)log1p((double)x); }

struct MantissaF {
  float value;  // in [2/3, 4/3)
  float exponent;
};

// Of a positive finite number.
WARPWRIGHT_MATH MantissaF splitNearOne(float x) {
  bool denormal = x < 0x1p-126f;
  float normal = denormal ? x * 0x1p24f : x;
  u32 bits = bitsOf(normal);
  s32 power = (s32)(bits - 0x3f2aaaabu) >> 23;
  float value = fromBits(bits - ((u32)power << 23));
  return {value, (float)power - (denormal ? 24.0f : 0.0f)};
}

// log(1 + f) - f for f in [-1/3, 1/3].
WARPWRIGHT_MATH float logTail(float f) {
  float square = f * f;
  return fma(square * f, polyLogTail(f), -0.5f * square);
}

WARPWRIGHT_MATH float log(float x) {
  if (isLogSpecial(x)) return logSpecial(x);
  MantissaF m = splitNearOne(x);
  float f = m.value - 1.0f;
  float rest = fma(m.exponent, kLn2TailF, logTail(f));
  return fma(m.exponent, kLn2HeadF, f + rest);
}

// log m / log b + e * (log 2 / log b), the first product in two parts.
WARPWRIGHT_MATH float logToBase(float x, float inverse, float inverseLow, float powerHigh, float powerLow) {
  if (isLogSpecial(x)) return logSpecial(x);
  MantissaF m = splitNearOne(x);
  float f = m.value - 1.0f;
  float high = mulRn(f, inverse);
  float low = fma(f, inverse, -high) + fma(f, inverseLow, fma(logTail(f), inverse, m.exponent * powerLow));
  FloatPair sum = twoSum(mulRn(m.exponent, powerHigh), high);
  return sum.high + (sum.low + low);
}
WARPWRIGHT_MATH float log2(float x) { return logToBase(x, kInverseLn2F, kInverseLn2LowF, 1.0f, 0.0f); }
// log10(2) with 12 bits, so that its product with an exponent is exact, and the rest.
WARPWRIGHT_MATH float log10(float x) { return logToBase(x, kInverseLn10F, kInverseLn10LowF, 0x1.344p-2f, 0x1.3509f8p-18f); }

}  // namespace warpwright::math
