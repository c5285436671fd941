// The C names of the device math library: sin and sinf, … in the global namespace, as device overloads of the host's functions.
#pragma once

#include "warpwright/math.h"

// double name(double) and float namef(float), and for functions that the host's C library lacks also float name(float).
#define WARPWRIGHT_FUNCTION_1(name)                                             \
  WARPWRIGHT_DEVICE double name(double x) { return warpwright::math::name(x); } \
  WARPWRIGHT_DEVICE float name##f(float x) { return warpwright::math::name(x); }
#define WARPWRIGHT_FUNCTION_2(name)                                                          \
  WARPWRIGHT_DEVICE double name(double x, double y) { return warpwright::math::name(x, y); } \
  WARPWRIGHT_DEVICE float name##f(float x, float y) { return warpwright::math::name(x, y); }
// float name(float): those that clang's <__clang_cuda_cmath.h> declares but leaves to the CUDA headers.
#define WARPWRIGHT_OVERLOAD_1(name) \
  WARPWRIGHT_DEVICE float name(float x) { return ::name##f(x); }
#define WARPWRIGHT_OVERLOAD_2(name) \
  WARPWRIGHT_DEVICE float name(float x, float y) { return ::name##f(x, y); }
// Functions for which -use_fast_math takes the approximation.
#ifdef __USE_FAST_MATH__
#define WARPWRIGHT_FUNCTION_FAST(name)                                          \
  WARPWRIGHT_DEVICE double name(double x) { return warpwright::math::name(x); } \
  WARPWRIGHT_DEVICE float name##f(float x) { return __##name##f(x); }
#else
#define WARPWRIGHT_FUNCTION_FAST(name) WARPWRIGHT_FUNCTION_1(name)
#endif

WARPWRIGHT_FUNCTION_FAST(sin)
WARPWRIGHT_FUNCTION_FAST(cos)
WARPWRIGHT_FUNCTION_FAST(tan)
WARPWRIGHT_FUNCTION_FAST(exp)
WARPWRIGHT_FUNCTION_FAST(exp10)
WARPWRIGHT_FUNCTION_FAST(log)
WARPWRIGHT_FUNCTION_FAST(log2)
WARPWRIGHT_FUNCTION_FAST(log10)
WARPWRIGHT_FUNCTION_1(sinpi)
WARPWRIGHT_FUNCTION_1(cospi)
WARPWRIGHT_FUNCTION_1(asin)
WARPWRIGHT_FUNCTION_1(acos)
WARPWRIGHT_FUNCTION_1(atan)
WARPWRIGHT_FUNCTION_1(sinh)
WARPWRIGHT_FUNCTION_1(cosh)
WARPWRIGHT_FUNCTION_1(tanh)
WARPWRIGHT_FUNCTION_1(asinh)
WARPWRIGHT_FUNCTION_1(acosh)
WARPWRIGHT_FUNCTION_1(atanh)
WARPWRIGHT_FUNCTION_1(exp2)
WARPWRIGHT_FUNCTION_1(expm1)
WARPWRIGHT_FUNCTION_1(log1p)
WARPWRIGHT_FUNCTION_1(logb)
WARPWRIGHT_FUNCTION_1(sqrt)
WARPWRIGHT_FUNCTION_1(rsqrt)
WARPWRIGHT_FUNCTION_1(cbrt)
WARPWRIGHT_FUNCTION_1(rcbrt)
WARPWRIGHT_FUNCTION_1(erf)
WARPWRIGHT_FUNCTION_1(erfc)
WARPWRIGHT_FUNCTION_1(erfcx)
WARPWRIGHT_FUNCTION_1(erfinv)
WARPWRIGHT_FUNCTION_1(erfcinv)
WARPWRIGHT_FUNCTION_1(normcdf)
WARPWRIGHT_FUNCTION_1(normcdfinv)
WARPWRIGHT_FUNCTION_1(tgamma)
WARPWRIGHT_FUNCTION_1(lgamma)
WARPWRIGHT_FUNCTION_1(j0)
WARPWRIGHT_FUNCTION_1(j1)
WARPWRIGHT_FUNCTION_1(y0)
WARPWRIGHT_FUNCTION_1(y1)
WARPWRIGHT_FUNCTION_1(cyl_bessel_i0)
WARPWRIGHT_FUNCTION_1(cyl_bessel_i1)
WARPWRIGHT_FUNCTION_1(fabs)
WARPWRIGHT_FUNCTION_1(floor)
WARPWRIGHT_FUNCTION_1(ceil)
WARPWRIGHT_FUNCTION_1(trunc)
WARPWRIGHT_FUNCTION_1(rint)
WARPWRIGHT_FUNCTION_1(round)
WARPWRIGHT_DEVICE double nearbyint(double x) { return warpwright::math::rint(x); }
WARPWRIGHT_DEVICE float nearbyintf(float x) { return warpwright::math::rint(x); }
WARPWRIGHT_FUNCTION_2(atan2)
WARPWRIGHT_FUNCTION_2(hypot)
WARPWRIGHT_FUNCTION_2(rhypot)
WARPWRIGHT_FUNCTION_2(fmod)
WARPWRIGHT_FUNCTION_2(remainder)
WARPWRIGHT_FUNCTION_2(fmin)
WARPWRIGHT_FUNCTION_2(fmax)
WARPWRIGHT_FUNCTION_2(fdim)
WARPWRIGHT_FUNCTION_2(copysign)
WARPWRIGHT_FUNCTION_2(nextafter)
WARPWRIGHT_DEVICE double pow(double x, double y) { return warpwright::math::pow(x, y); }
#ifdef __USE_FAST_MATH__
WARPWRIGHT_DEVICE float powf(float x, float y) { return __powf(x, y); }
#else
WARPWRIGHT_DEVICE float powf(float x, float y) { return warpwright::math::pow(x, y); }
#endif
WARPWRIGHT_DEVICE double powi(double x, int n) { return warpwright::math::powi(x, n); }
WARPWRIGHT_DEVICE float powif(float x, int n) { return warpwright::math::powi(x, n); }

WARPWRIGHT_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WARPWRIGHT_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WARPWRIGHT_DEVICE double norm3d(double x, double y, double z) { return warpwright::math::norm3d(x, y, z); }
WARPWRIGHT_DEVICE float norm3df(float x, float y, float z) { return warpwright::math::norm3d(x, y, z); }
WARPWRIGHT_DEVICE double rnorm3d(double x, double y, double z) { return warpwright::math::rnorm3d(x, y, z); }
WARPWRIGHT_DEVICE float rnorm3df(float x, float y, float z) { return warpwright::math::rnorm3d(x, y, z); }
WARPWRIGHT_DEVICE double norm4d(double x, double y, double z, double w) { return warpwright::math::norm4d(x, y, z, w); }
WARPWRIGHT_DEVICE float norm4df(float x, float y, float z, float w) { return warpwright::math::norm4d(x, y, z, w); }
WARPWRIGHT_DEVICE double rnorm4d(double x, double y, double z, double w) { return warpwright::math::rnorm4d(x, y, z, w); }
WARPWRIGHT_DEVICE float rnorm4df(float x, float y, float z, float w) { return warpwright::math::rnorm4d(x, y, z, w); }
WARPWRIGHT_DEVICE double norm(int count, const double* values) { return warpwright::math::normOf(count, values, false); }
WARPWRIGHT_DEVICE float normf(int count, const float* values) { return (float)warpwright::math::normOf(count, values, false); }
WARPWRIGHT_DEVICE double rnorm(int count, const double* values) { return warpwright::math::normOf(count, values, true); }
WARPWRIGHT_DEVICE float rnormf(int count, const float* values) { return (float)warpwright::math::normOf(count, values, true); }

WARPWRIGHT_DEVICE void sincos(double x, double* sine, double* cosine) { warpwright::math::sincos(x, sine, cosine); }
#ifdef __USE_FAST_MATH__
WARPWRIGHT_DEVICE void sincosf(float x, float* sine, float* cosine) { __sincosf(x, sine, cosine); }
#else
WARPWRIGHT_DEVICE void sincosf(float x, float* sine, float* cosine) { warpwright::math::sincos(x, sine, cosine); }
#endif
WARPWRIGHT_DEVICE void sincospi(double x, double* sine, double* cosine) { warpwright::math::sincospi(x, sine, cosine); }
WARPWRIGHT_DEVICE void sincospif(float x, float* sine, float* cosine) { warpwright::math::sincospi(x, sine, cosine); }
WARPWRIGHT_DEVICE double modf(double x, double* whole) { return warpwright::math::modf(x, whole); }
WARPWRIGHT_DEVICE float modff(float x, float* whole) { return warpwright::math::modf(x, whole); }
WARPWRIGHT_DEVICE double frexp(double x, int* exponent) { return warpwright::math::frexp(x, exponent); }
WARPWRIGHT_DEVICE float frexpf(float x, int* exponent) { return warpwright::math::frexp(x, exponent); }
WARPWRIGHT_DEVICE double ldexp(double x, int n) { return warpwright::math::ldexp(x, n); }
WARPWRIGHT_DEVICE float ldexpf(float x, int n) { return warpwright::math::ldexp(x, n); }
WARPWRIGHT_DEVICE double scalbn(double x, int n) { return warpwright::math::ldexp(x, n); }
WARPWRIGHT_DEVICE float scalbnf(float x, int n) { return warpwright::math::ldexp(x, n); }
WARPWRIGHT_DEVICE double scalbln(double x, long n) { return warpwright::math::scalbln(x, n); }
WARPWRIGHT_DEVICE float scalblnf(float x, long n) { return warpwright::math::scalbln(x, n); }
WARPWRIGHT_DEVICE double remquo(double x, double y, int* quotient) { return warpwright::math::remquo(x, y, quotient); }
WARPWRIGHT_DEVICE float remquof(float x, float y, int* quotient) { return warpwright::math::remquo(x, y, quotient); }
WARPWRIGHT_DEVICE int ilogb(double x) { return warpwright::math::ilogb(x); }
WARPWRIGHT_DEVICE int ilogbf(float x) { return warpwright::math::ilogb(x); }
WARPWRIGHT_DEVICE double jn(int n, double x) { return warpwright::math::jn(n, x); }
WARPWRIGHT_DEVICE float jnf(int n, float x) { return warpwright::math::jn(n, x); }
WARPWRIGHT_DEVICE double yn(int n, double x) { return warpwright::math::yn(n, x); }
WARPWRIGHT_DEVICE float ynf(int n, float x) { return warpwright::math::yn(n, x); }
WARPWRIGHT_DEVICE double nan(const char*) { return __builtin_nan(""); }
WARPWRIGHT_DEVICE float nanf(const char*) { return __builtin_nanf(""); }

WARPWRIGHT_DEVICE long long llrint(double x) { return __nvvm_d2ll_rn(x); }
WARPWRIGHT_DEVICE long long llrintf(float x) { return __nvvm_f2ll_rn(x); }
WARPWRIGHT_DEVICE long lrint(double x) { return (long)__nvvm_d2ll_rn(x); }
WARPWRIGHT_DEVICE long lrintf(float x) { return (long)__nvvm_f2ll_rn(x); }
WARPWRIGHT_DEVICE long long llround(double x) { return (long long)warpwright::math::round(x); }
WARPWRIGHT_DEVICE long long llroundf(float x) { return (long long)warpwright::math::round(x); }
WARPWRIGHT_DEVICE long lround(double x) { return (long)warpwright::math::round(x); }
WARPWRIGHT_DEVICE long lroundf(float x) { return (long)warpwright::math::round(x); }

WARPWRIGHT_DEVICE int abs(int x) { return x < 0 ? -x : x; }
WARPWRIGHT_DEVICE long labs(long x) { return x < 0 ? -x : x; }
WARPWRIGHT_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

// The names that clang's headers build std::isnan and its kin on.
WARPWRIGHT_DEVICE int __isnan(double x) { return x != x; }
WARPWRIGHT_DEVICE int __isnanf(float x) { return x != x; }
WARPWRIGHT_DEVICE int __isinf(double x) { return warpwright::math::isInf(x); }
WARPWRIGHT_DEVICE int __isinff(float x) { return warpwright::math::isInf(x); }
WARPWRIGHT_DEVICE int __isfinited(double x) { return warpwright::math::isFinite(x); }
WARPWRIGHT_DEVICE int __finite(double x) { return warpwright::math::isFinite(x); }
WARPWRIGHT_DEVICE int __finitef(float x) { return warpwright::math::isFinite(x); }
WARPWRIGHT_DEVICE int __signbitd(double x) { return (int)(warpwright::math::bitsOf(x) >> 63); }
WARPWRIGHT_DEVICE int __signbitf(float x) { return (int)(warpwright::math::bitsOf(x) >> 31); }

WARPWRIGHT_OVERLOAD_1(acosh)
WARPWRIGHT_OVERLOAD_1(asinh)
WARPWRIGHT_OVERLOAD_1(atanh)
WARPWRIGHT_OVERLOAD_1(cbrt)
WARPWRIGHT_OVERLOAD_1(erf)
WARPWRIGHT_OVERLOAD_1(erfc)
WARPWRIGHT_OVERLOAD_1(exp2)
WARPWRIGHT_OVERLOAD_1(expm1)
WARPWRIGHT_OVERLOAD_1(lgamma)
WARPWRIGHT_OVERLOAD_1(log1p)
WARPWRIGHT_OVERLOAD_1(log2)
WARPWRIGHT_OVERLOAD_1(logb)
WARPWRIGHT_OVERLOAD_1(nearbyint)
WARPWRIGHT_OVERLOAD_1(rint)
WARPWRIGHT_OVERLOAD_1(round)
WARPWRIGHT_OVERLOAD_1(tgamma)
WARPWRIGHT_OVERLOAD_1(trunc)
WARPWRIGHT_OVERLOAD_2(copysign)
WARPWRIGHT_OVERLOAD_2(fdim)
WARPWRIGHT_OVERLOAD_2(fmax)
WARPWRIGHT_OVERLOAD_2(fmin)
WARPWRIGHT_OVERLOAD_2(hypot)
WARPWRIGHT_OVERLOAD_2(nextafter)
WARPWRIGHT_OVERLOAD_2(remainder)
WARPWRIGHT_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WARPWRIGHT_DEVICE int ilogb(float x) { return ::ilogbf(x); }
WARPWRIGHT_DEVICE long long llrint(float x) { return ::llrintf(x); }
WARPWRIGHT_DEVICE long lrint(float x) { return ::lrintf(x); }
WARPWRIGHT_DEVICE long long llround(float x) { return ::llroundf(x); }
WARPWRIGHT_DEVICE long lround(float x) { return ::lroundf(x); }
WARPWRIGHT_DEVICE float scalbn(float x, int n) { return ::scalbnf(x, n); }
WARPWRIGHT_DEVICE float scalbln(float x, long n) { return ::scalblnf(x, n); }
WARPWRIGHT_DEVICE float remquo(float x, float y, int* quotient) { return ::remquof(x, y, quotient); }

// CUDA's own functions take float arguments under the plain name too.
WARPWRIGHT_OVERLOAD_1(rsqrt)
WARPWRIGHT_OVERLOAD_1(rcbrt)
WARPWRIGHT_OVERLOAD_1(sinpi)
WARPWRIGHT_OVERLOAD_1(cospi)
WARPWRIGHT_OVERLOAD_1(erfinv)
WARPWRIGHT_OVERLOAD_1(erfcinv)
WARPWRIGHT_OVERLOAD_1(erfcx)
WARPWRIGHT_OVERLOAD_1(normcdf)
WARPWRIGHT_OVERLOAD_1(normcdfinv)
WARPWRIGHT_OVERLOAD_1(exp10)
WARPWRIGHT_OVERLOAD_2(rhypot)
WARPWRIGHT_DEVICE void sincospi(float x, float* sine, float* cosine) { ::sincospif(x, sine, cosine); }
WARPWRIGHT_DEVICE void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }

#undef WARPWRIGHT_FUNCTION_1
#undef WARPWRIGHT_FUNCTION_2
#undef WARPWRIGHT_FUNCTION_FAST
#undef WARPWRIGHT_OVERLOAD_1
#undef WARPWRIGHT_OVERLOAD_2
