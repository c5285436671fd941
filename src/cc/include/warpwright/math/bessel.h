// Bessel functions: J and Y of the first orders and of integer order, I0 and I1. Below 8 polynomials in x^2, above the asymptotic
// form sqrt(2/(pi x)) (P cos(chi) - Q sin(chi)) with chi = x - n pi/2 - pi/4. Near a zero of J or Y the error is absolute.
#pragma once

#include "warpwright/math/exponential.h"
#include "warpwright/math/logarithm.h"
#include "warpwright/math/trigonometric.h"

namespace warpwright::math {

struct Oscillation {
  double amplitude, sine, cosine;  // of chi for order 0
};

WARPWRIGHT_MATH Oscillation oscillation(double x) {
  double s, c;
  sincos(x, &s, &c);
  // chi = x - pi/4.
  return {sqrt(kTwoOverPi / x), (s - c) * kSqrtHalfHigh, (s + c) * kSqrtHalfHigh};
}

WARPWRIGHT_MATH double besselJ0Great(double x) {
  Oscillation o = oscillation(x);
  double inverse = 8.0 / x, u = inverse * inverse;
  return o.amplitude * fma(polyBesselP0(u), o.cosine, -polyBesselQ0(u) / x * o.sine);
}
WARPWRIGHT_MATH double besselY0Great(double x) {
  Oscillation o = oscillation(x);
  double inverse = 8.0 / x, u = inverse * inverse;
  return o.amplitude * fma(polyBesselP0(u), o.sine, polyBesselQ0(u) / x * o.cosine);
}
// Order 1: chi is a quarter turn less, so cos becomes sin and sin becomes -cos.
WARPWRIGHT_MATH double besselJ1Great(double x) {
  Oscillation o = oscillation(x);
  double inverse = 8.0 / x, u = inverse * inverse;
  return o.amplitude * fma(polyBesselP1(u), o.sine, polyBesselQ1(u) / x * o.cosine);
}
WARPWRIGHT_MATH double besselY1Great(double x) {
  Oscillation o = oscillation(x);
  double inverse = 8.0 / x, u = inverse * inverse;
  return o.amplitude * fma(polyBesselP1(u), -o.cosine, polyBesselQ1(u) / x * o.sine);
}

WARPWRIGHT_MATH double j0(double x) {
  double magnitude = fabs(x);
  if (!(magnitude < infinity(x))) return isNan(x) ? x : 0.0;
  return magnitude < 8.0 ? polyJ0(fma(x * x, 0.03125, -1.0)) : besselJ0Great(magnitude);
}
WARPWRIGHT_MATH double j1(double x) {
  double magnitude = fabs(x);
  if (!(magnitude < infinity(x))) return isNan(x) ? x : 0.0;
  double value = magnitude < 8.0 ? magnitude * polyJ1(fma(x * x, 0.03125, -1.0)) : besselJ1Great(magnitude);
  return x < 0.0 ? -value : value;
}
WARPWRIGHT_MATH double y0(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -infinity(x) : notANumber();
  if (isInf(x)) return 0.0;
  if (x >= 8.0) return besselY0Great(x);
  return fma(kTwoOverPi * log(x), j0(x), polyY0(fma(x * x, 0.03125, -1.0)));
}
WARPWRIGHT_MATH double y1(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -infinity(x) : notANumber();
  if (isInf(x)) return 0.0;
  if (x >= 8.0) return besselY1Great(x);
  return fma(kTwoOverPi * log(x), j1(x), x * polyY1(fma(x * x, 0.03125, -1.0))) - kTwoOverPi / x;
}

// Upwards while the order is below x, where that is stable; else downwards from far above (Miller), normalised by J0 or J1.
WARPWRIGHT_MATH double jn(int n, double x) {
  if (n < 0) return n & 1 ? -jn(-n, x) : jn(-n, x);
  if (n == 0) return j0(x);
  if (n == 1) return j1(x);
  if (x == 0.0 || isInf(x)) return 0.0;
  double magnitude = fabs(x);
  double sign = x < 0.0 && (n & 1) ? -1.0 : 1.0;
  if ((double)n < magnitude) {
    double before = j0(magnitude), value = j1(magnitude);
    for (int k = 1; k < n; ++k) {
      double next = fma(2.0 * k / magnitude, value, -before);
      before = value;
      value = next;
    }
    return sign * value;
  }
  int start = n + 40 + (int)sqrt(60.0 * n);
  double above = 0.0, value = 0x1p-900, wanted = 0.0;
  for (int k = start; k > 0; --k) {
    double below = fma(2.0 * k / magnitude, value, -above);
    above = value;
    value = below;
    if (k - 1 == n) wanted = value;
    if (fabs(value) > 0x1p500) {
      value *= 0x1p-600;
      above *= 0x1p-600;
      wanted *= 0x1p-600;
    }
  }
  double zero = j0(magnitude), one = j1(magnitude);
  return sign * (fabs(zero) > fabs(one) ? wanted / value * zero : wanted / above * one);
}

WARPWRIGHT_MATH double yn(int n, double x) {
  if (n < 0) return n & 1 ? -yn(-n, x) : yn(-n, x);
  if (n == 0) return y0(x);
  if (n == 1) return y1(x);
  if (!(x > 0.0)) return x == 0.0 ? -infinity(x) : notANumber();
  double before = y0(x), value = y1(x);
  for (int k = 1; k < n && !isInf(value); ++k) {
    double next = fma(2.0 * k / x, value, -before);
    before = value;
    value = next;
  }
  return value;
}

WARPWRIGHT_MATH double growth(double x, double series) {
  // exp(x)/sqrt(x) * series; exp(x/2) twice where exp(x) alone would overflow.
  double factor = series / sqrt(x);
  if (x < 700.0) return exp(x) * factor;
  double half = exp(0.5 * x);
  return half * factor * half;
}
WARPWRIGHT_MATH double cyl_bessel_i0(double x) {
  double magnitude = fabs(x);
  if (!(magnitude < 720.0)) return isNan(x) ? x : infinity(x);
  if (magnitude < 8.0) return polyI0(x * x * 0.015625);
  return growth(magnitude, polyI0Far(16.0 / magnitude - 1.0));
}
WARPWRIGHT_MATH double cyl_bessel_i1(double x) {
  double magnitude = fabs(x);
  if (!(magnitude < 720.0)) return isNan(x) ? x : copysign(infinity(x), x);
  if (magnitude < 8.0) return x * polyI1(x * x * 0.015625);
  return copysign(growth(magnitude, polyI1Far(16.0 / magnitude - 1.0)), x);
}

WARPWRIGHT_MATH float j0(float x) { return (float)j0((double)x); }
WARPWRIGHT_MATH float j1(float x) { return (float)j1((double)x); }
WARPWRIGHT_MATH float y0(float x) { return (float)y0((double)x); }
WARPWRIGHT_MATH float y1(float x) { return (float)y1((double)x); }
WARPWRIGHT_MATH float jn(int n, float x) { return (float)jn(n, (double)x); }
WARPWRIGHT_MATH float yn(int n, float x) { return (float)yn(n, (double)x); }
WARPWRIGHT_MATH float cyl_bessel_i0(float x) { return (float)cyl_bessel_i0((double)x); }
WARPWRIGHT_MATH float cyl_bessel_i1(float x) { return (float)cyl_bessel_i1((double)x); }

}  // namespace warpwright::math
