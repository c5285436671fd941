// pow, integer powers, cube roots.
#pragma once

#include "warpwright/math/exponential.h"
#include "warpwright/math/logarithm.h"

namespace warpwright::math {

template <typename T>
WARPWRIGHT_MATH bool isInteger(T y) {
  return y == trunc(y);
}
template <typename T>
WARPWRIGHT_MATH bool isOddInteger(T y) {
  T half = y * (T)0.5;
  return isInteger(y) && half != trunc(half);
}

// The cases in which IEEE 754 fixes pow: x or y zero, one, infinite or NaN.
template <typename T>
WARPWRIGHT_MATH T powSpecial(T x, T y) {
  if (x == (T)1 || y == (T)0) return (T)1;
  if (isNan(x) || isNan(y)) return x + y;
  if (isInf(y)) {
    if (fabs(x) == (T)1) return (T)1;
    return (fabs(x) > (T)1) == (y > (T)0) ? infinity(x) : (T)0;
  }
  T magnitude = (fabs(x) == (T)0) == (y > (T)0) ? (T)0 : infinity(x);
  return isOddInteger(y) ? copysign(magnitude, x) : magnitude;
}

// |x|^y for positive finite x: exp(y log x), the logarithm to 63 bits.
WARPWRIGHT_MATH double powMagnitude(double x, double y) {
  DoublePair logarithm = logPair(x);
  // |log x| >= 2^-53, so an exponent beyond 2^64 over- or underflows whatever x is; bounding it keeps the product finite.
  double bounded = fmax(fmin(y, 0x1p64), -0x1p64);
  return expPair(multiply(logarithm, bounded));
}

WARPWRIGHT_MATH double pow(double x, double y) {
  if (x == 1.0 || y == 0.0 || !isFinite(x) || !isFinite(y) || x == 0.0) return powSpecial(x, y);
  if (x < 0.0 && !isInteger(y)) return notANumber();
  double magnitude = powMagnitude(fabs(x), y);
  return x < 0.0 && isOddInteger(y) ? -magnitude : magnitude;
}

// log2 of a positive finite x in two floats: about 2^-31 relative.
WARPWRIGHT_MATH FloatPair log2Pair(float x) {
  MantissaF m = splitNearOne(x);
  float f = m.value - 1.0f;
  // log(1 + f) = 2 atanh(s), s = f / (2 + f).
  FloatPair denominator = twoSum(2.0f, f);
  FloatPair s = divide(FloatPair{f, 0.0f}, denominator);
  float z = s.high * s.high;
  float tail = 2.0f * s.high * z * polyAtanhTail(z);
  FloatPair natural = fastTwoSum(2.0f * s.high, fma(2.0f, s.low, tail));
  FloatPair binary = multiply(natural, FloatPair{kInverseLn2F, kInverseLn2LowF});
  return add(binary, m.exponent);
}

WARPWRIGHT_MATH float powMagnitude(float x, float y) {
  FloatPair logarithm = log2Pair(x);
  float bounded = fmax(fmin(y, 0x1p40f), -0x1p40f);
  FloatPair product = multiply(logarithm, bounded);
  float clamped = fmin(fmax(product.high, -160.0f), 130.0f);
  float low = clamped == product.high ? product.low : 0.0f;
  float k = rint(clamped);
  float fraction = (clamped - k) + low;
  float r = mulRn(fraction, kLn2F);
  return expReduced(r, fma(fraction, kLn2LowF, fma(fraction, kLn2F, -r)), (int)k);
}

WARPWRIGHT_MATH float pow(float x, float y) {
  if (x == 1.0f || y == 0.0f || !isFinite(x) || !isFinite(y) || x == 0.0f) return powSpecial(x, y);
  if (x < 0.0f && !isInteger(y)) return notANumberF();
  float magnitude = powMagnitude(fabs(x), y);
  return x < 0.0f && isOddInteger(y) ? -magnitude : magnitude;
}

// By squaring.
template <typename T>
WARPWRIGHT_MATH T powi(T x, int n) {
  u32 rest = n < 0 ? 0u - (u32)n : (u32)n;
  T result = (T)1;
  for (T square = x; rest != 0; rest >>= 1, square *= square) {
    if (rest & 1) result *= square;
  }
  return n < 0 ? (T)1 / result : result;
}

// x = 8^k m with m in [1, 8): a polynomial to 16 bits, two Newton steps, and one that keeps the rounding of the cube.
WARPWRIGHT_MATH double cbrt(double x) {
  if (x == 0.0 || !isFinite(x)) return x;
  double magnitude = fabs(x);
  int offset = 0;
  if (magnitude < 0x1p-1022) {
    magnitude *= 0x1p54;
    offset = -18;
  }
  u64 bits = bitsOf(magnitude);
  int exponent = (int)(bits >> 52) - 1023 + 3072;
  int third = exponent / 3, rest = exponent - 3 * third;
  double m = fromBits((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  double root = polyCbrt(m) * (rest == 0 ? 1.0 : rest == 1 ? kCbrtTwo : kCbrtFour);
  m *= (double)(1 << rest);
  root = fma(m / (root * root) - root, 1.0 / 3.0, root);
  root = fma(m / (root * root) - root, 1.0 / 3.0, root);
  DoublePair cube = multiply(twoProduct(root, root), root);
  double error = ((m - cube.high) - cube.low) / (3.0 * root * root);
  return copysign((root + error) * powerOfTwo(third - 1024 + offset), x);
}
WARPWRIGHT_MATH float cbrt(float x) { return (float)cbrt((double)x); }

WARPWRIGHT_MATH double rcbrt(double x) {
  if (x == 0.0) return copysign(infinity(x), x);
  if (isInf(x)) return copysign(0.0, x);
  return 1.0 / cbrt(x);
}
WARPWRIGHT_MATH float rcbrt(float x) { return (float)rcbrt((double)x); }

}  // namespace warpwright::math
