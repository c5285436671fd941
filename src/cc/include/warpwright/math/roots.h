// rsqrt, hypot and the norms of three and four components, all without overflow of intermediate squares.
#pragma once

#include "warpwright/math/double_double.h"

namespace warpwright::math {

// 1/sqrt(x) by division and one correction with the exact residual.
WARPWRIGHT_MATH double rsqrt(double x) {
  if (x == 0.0) return copysign(infinity(x), x);
  if (!(x > 0.0) || isInf(x)) return isInf(x) && x > 0.0 ? 0.0 : notANumber();
  bool small = x < 0x1p-1000;
  double scaled = small ? x * 0x1p108 : x;
  double y = 1.0 / sqrt(scaled);
  DoublePair square = twoProduct(y, y);
  double residual = fma(-scaled, square.high, 1.0) - scaled * square.low;
  y = fma(0.5 * y, residual, y);
  return small ? y * 0x1p54 : y;
}
// The special-function unit's estimate is good to 2 units in the last place (PTX rsqrt.approx); the host has none.
WARPWRIGHT_MATH float rsqrt(float x) {
#if defined(__CUDA_ARCH__)
  return __nvvm_rsqrt_approx_f(x);
#else
  return (float)(1.0 / sqrt((double)x));
#endif
}

// The square root of a sum of squares of up to four numbers, the greatest of which lies in [1, 2) after scaling.
WARPWRIGHT_MATH DoublePair sumOfSquares(double a, double b, double c, double d) {
  return add(add(twoProduct(a, a), twoProduct(b, b)), add(twoProduct(c, c), twoProduct(d, d)));
}

struct ScaledNorm {
  double value;  // of the scaled components
  int exponent;
};

WARPWRIGHT_MATH ScaledNorm scaledNorm(double a, double b, double c, double d) {
  double greatest = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
  int exponent = (int)(bitsOf(greatest) >> 52) - 1023;
  exponent = exponent < -1022 ? -1074 : exponent;
  DoublePair squares = sumOfSquares(scale(a, -exponent), scale(b, -exponent), scale(c, -exponent), scale(d, -exponent));
  double root = sqrt(squares.high);
  // One Newton step with the residual of the two-part sum.
  double residual = fma(-root, root, squares.high) + squares.low;
  return {root + 0.5 * residual / root, exponent};
}

WARPWRIGHT_MATH bool anyInf(double a, double b, double c, double d) { return isInf(a) || isInf(b) || isInf(c) || isInf(d); }

WARPWRIGHT_MATH double norm4d(double a, double b, double c, double d) {
  if (anyInf(a, b, c, d)) return infinity(a);
  if (isNan(a) || isNan(b) || isNan(c) || isNan(d)) return notANumber();
  if (a == 0.0 && b == 0.0 && c == 0.0 && d == 0.0) return 0.0;
  ScaledNorm norm = scaledNorm(a, b, c, d);
  return scale(norm.value, norm.exponent);
}
WARPWRIGHT_MATH double rnorm4d(double a, double b, double c, double d) {
  if (anyInf(a, b, c, d)) return 0.0;
  if (isNan(a) || isNan(b) || isNan(c) || isNan(d)) return notANumber();
  if (a == 0.0 && b == 0.0 && c == 0.0 && d == 0.0) return infinity(a);
  ScaledNorm norm = scaledNorm(a, b, c, d);
  return scale(1.0 / norm.value, -norm.exponent);
}
WARPWRIGHT_MATH double hypot(double x, double y) { return norm4d(x, y, 0.0, 0.0); }
WARPWRIGHT_MATH double rhypot(double x, double y) { return rnorm4d(x, y, 0.0, 0.0); }
WARPWRIGHT_MATH double norm3d(double a, double b, double c) { return norm4d(a, b, c, 0.0); }
WARPWRIGHT_MATH double rnorm3d(double a, double b, double c) { return rnorm4d(a, b, c, 0.0); }

// Squares of floats neither overflow nor vanish in double precision.
WARPWRIGHT_MATH float norm4d(float a, float b, float c, float d) {
  if (anyInf(a, b, c, d)) return infinity(a);
  double w = a, x = b, y = c, z = d;
  return (float)sqrt(fma(w, w, fma(x, x, fma(y, y, z * z))));
}
WARPWRIGHT_MATH float rnorm4d(float a, float b, float c, float d) {
  if (anyInf(a, b, c, d)) return 0.0f;
  double w = a, x = b, y = c, z = d;
  return (float)(1.0 / sqrt(fma(w, w, fma(x, x, fma(y, y, z * z)))));
}
WARPWRIGHT_MATH float hypot(float x, float y) { return norm4d(x, y, 0.0f, 0.0f); }
WARPWRIGHT_MATH float rhypot(float x, float y) { return rnorm4d(x, y, 0.0f, 0.0f); }
WARPWRIGHT_MATH float norm3d(float a, float b, float c) { return norm4d(a, b, c, 0.0f); }
WARPWRIGHT_MATH float rnorm3d(float a, float b, float c) { return rnorm4d(a, b, c, 0.0f); }

// Any number of components, by the greatest of which they are scaled.
template <typename T>
WARPWRIGHT_MATH double normOf(int count, const T* values, bool reciprocal) {
  double greatest = 0.0;
  bool nan = false;
  for (int i = 0; i < count; ++i) {
    greatest = fmax(greatest, fabs((double)values[i]));
    nan = nan || isNan(values[i]);
  }
  if (isInf(greatest)) return reciprocal ? 0.0 : greatest;
  if (nan) return notANumber();
  if (greatest == 0.0) return reciprocal ? infinity(greatest) : 0.0;
  int exponent = (int)(bitsOf(greatest) >> 52) - 1023;
  DoublePair sum = {0.0, 0.0};
  for (int i = 0; i < count; ++i) {
    double value = scale((double)values[i], -exponent);
    sum = add(sum, twoProduct(value, value));
  }
  double root = sqrt(sum.high);
  return reciprocal ? scale(1.0 / root, -exponent) : scale(root, exponent);
}

}  // namespace warpwright::math
