// libdevice: the functions of NVIDIA's bitcode library by their names (libdevice user's guide), over the device math library and the
// intrinsics of the device headers. Front ends that make NVVM IR, such as Numba's, call them; programs of warpwright-cc do not.
#include <cuda_fp16.h>

// A call costs more than most of them; the library's own larger parts remain functions.
#define API extern "C" __device__ __attribute__((always_inline))

// What has one name with and without f, or a name of its own in CUDA C++.
#define UNARY_AS(type, name, as) \
  API type __nv_##name(type x) { return as(x); }
#define BINARY_AS(type, name, as) \
  API type __nv_##name(type x, type y) { return as(x, y); }
#define TERNARY_AS(type, name, as) \
  API type __nv_##name(type x, type y, type z) { return as(x, y, z); }
#define CONVERSION_AS(from, to, name, as) \
  API to __nv_##name(from x) { return as(x); }

#define UNARY(name)              \
  UNARY_AS(double, name, ::name) \
  UNARY_AS(float, name##f, ::name##f)
#define BINARY(name)              \
  BINARY_AS(double, name, ::name) \
  BINARY_AS(float, name##f, ::name##f)

UNARY(acos)
UNARY(acosh)
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanh)
UNARY(cbrt)
UNARY(ceil)
UNARY(cos)
UNARY(cosh)
UNARY(cospi)
UNARY(cyl_bessel_i0)
UNARY(cyl_bessel_i1)
UNARY(erf)
UNARY(erfc)
UNARY(erfcinv)
UNARY(erfcx)
UNARY(erfinv)
UNARY(exp)
UNARY(exp10)
UNARY(exp2)
UNARY(expm1)
UNARY(fabs)
UNARY(floor)
UNARY(j0)
UNARY(j1)
UNARY(lgamma)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(logb)
UNARY(nearbyint)
UNARY(normcdf)
UNARY(normcdfinv)
UNARY(rcbrt)
UNARY(rint)
UNARY(round)
UNARY(rsqrt)
UNARY(sin)
UNARY(sinh)
UNARY(sinpi)
UNARY_AS(double, sqrt, ::sqrt)
// As the program's options ask for it: libnvvm has it (src/nvvm/dialect.hpp).
__device__ float programsSquareRoot(float x) asm("__nvvm_sqrt.f");
UNARY_AS(float, sqrtf, programsSquareRoot)
UNARY(tan)
UNARY(tanh)
UNARY(tgamma)
UNARY(trunc)
UNARY(y0)
UNARY(y1)
BINARY(atan2)
BINARY(copysign)
BINARY(fdim)
BINARY(fmax)
BINARY(fmin)
BINARY(fmod)
BINARY(hypot)
BINARY(nextafter)
BINARY(pow)
BINARY(remainder)
BINARY(rhypot)
TERNARY_AS(double, fma, ::fma)
TERNARY_AS(float, fmaf, ::fmaf)
TERNARY_AS(double, norm3d, ::norm3d)
TERNARY_AS(float, norm3df, ::norm3df)
TERNARY_AS(double, rnorm3d, ::rnorm3d)
TERNARY_AS(float, rnorm3df, ::rnorm3df)

// Those of CUDA C++ with two underscores.
#define INTRINSIC_UNARY(type, name) UNARY_AS(type, name, __##name)
#define INTRINSIC_BINARY(type, name) BINARY_AS(type, name, __##name)
#define INTRINSIC_TERNARY(type, name) TERNARY_AS(type, name, __##name)
#define INTRINSIC_CONVERSION(from, to, name) CONVERSION_AS(from, to, name, __##name)

#define ROUNDINGS(X, ...) X(__VA_ARGS__, rn) X(__VA_ARGS__, rz) X(__VA_ARGS__, ru) X(__VA_ARGS__, rd)
#define ROUNDED_UNARY(type, name, mode) INTRINSIC_UNARY(type, name##_##mode)
#define ROUNDED_BINARY(type, name, mode) INTRINSIC_BINARY(type, name##_##mode)
#define ROUNDED_TERNARY(type, name, mode) INTRINSIC_TERNARY(type, name##_##mode)
#define ROUNDED_CONVERSION(from, to, name, mode) INTRINSIC_CONVERSION(from, to, name##_##mode)

ROUNDINGS(ROUNDED_UNARY, double, drcp)
ROUNDINGS(ROUNDED_UNARY, double, dsqrt)
ROUNDINGS(ROUNDED_UNARY, float, frcp)
ROUNDINGS(ROUNDED_UNARY, float, fsqrt)
INTRINSIC_UNARY(float, frsqrt_rn)
INTRINSIC_UNARY(float, saturatef)
ROUNDINGS(ROUNDED_BINARY, double, dadd)
ROUNDINGS(ROUNDED_BINARY, double, dsub)
ROUNDINGS(ROUNDED_BINARY, double, dmul)
ROUNDINGS(ROUNDED_BINARY, double, ddiv)
ROUNDINGS(ROUNDED_BINARY, float, fadd)
ROUNDINGS(ROUNDED_BINARY, float, fsub)
ROUNDINGS(ROUNDED_BINARY, float, fmul)
ROUNDINGS(ROUNDED_BINARY, float, fdiv)
ROUNDINGS(ROUNDED_TERNARY, double, fma)
ROUNDINGS(ROUNDED_TERNARY, float, fmaf)

ROUNDINGS(ROUNDED_CONVERSION, double, float, double2float)
ROUNDINGS(ROUNDED_CONVERSION, double, int, double2int)
ROUNDINGS(ROUNDED_CONVERSION, double, unsigned, double2uint)
ROUNDINGS(ROUNDED_CONVERSION, double, long long, double2ll)
ROUNDINGS(ROUNDED_CONVERSION, double, unsigned long long, double2ull)
ROUNDINGS(ROUNDED_CONVERSION, float, int, float2int)
ROUNDINGS(ROUNDED_CONVERSION, float, unsigned, float2uint)
ROUNDINGS(ROUNDED_CONVERSION, float, long long, float2ll)
ROUNDINGS(ROUNDED_CONVERSION, float, unsigned long long, float2ull)
ROUNDINGS(ROUNDED_CONVERSION, int, float, int2float)
ROUNDINGS(ROUNDED_CONVERSION, unsigned, float, uint2float)
ROUNDINGS(ROUNDED_CONVERSION, long long, float, ll2float)
ROUNDINGS(ROUNDED_CONVERSION, unsigned long long, float, ull2float)
ROUNDINGS(ROUNDED_CONVERSION, long long, double, ll2double)
ROUNDINGS(ROUNDED_CONVERSION, unsigned long long, double, ull2double)
INTRINSIC_CONVERSION(int, double, int2double_rn)
INTRINSIC_CONVERSION(unsigned, double, uint2double_rn)
INTRINSIC_CONVERSION(double, int, double2hiint)
INTRINSIC_CONVERSION(double, int, double2loint)
INTRINSIC_CONVERSION(double, long long, double_as_longlong)
INTRINSIC_CONVERSION(long long, double, longlong_as_double)
INTRINSIC_CONVERSION(float, int, float_as_int)
INTRINSIC_CONVERSION(float, unsigned, float_as_uint)
INTRINSIC_CONVERSION(int, float, int_as_float)
INTRINSIC_CONVERSION(unsigned, float, uint_as_float)
API double __nv_hiloint2double(int high, int low) { return __hiloint2double(high, low); }
API short __nv_float2half_rn(float x) { return __half_as_short(__float2half_rn(x)); }
API float __nv_half2float(short x) { return __half2float(__short_as_half(x)); }

UNARY_AS(float, fast_sinf, __sinf)
UNARY_AS(float, fast_cosf, __cosf)
UNARY_AS(float, fast_tanf, __tanf)
UNARY_AS(float, fast_expf, __expf)
UNARY_AS(float, fast_exp10f, __exp10f)
UNARY_AS(float, fast_logf, __logf)
UNARY_AS(float, fast_log2f, __log2f)
UNARY_AS(float, fast_log10f, __log10f)
BINARY_AS(float, fast_powf, __powf)
BINARY_AS(float, fast_fdividef, __fdividef)
API void __nv_fast_sincosf(float x, float* sine, float* cosine) { __sincosf(x, sine, cosine); }

UNARY_AS(int, abs, ::abs)
UNARY_AS(long long, llabs, ::llabs)
CONVERSION_AS(unsigned, unsigned, brev, __brev)
CONVERSION_AS(unsigned long long, unsigned long long, brevll, __brevll)
CONVERSION_AS(int, int, clz, __clz)
CONVERSION_AS(long long, int, clzll, __clzll)
CONVERSION_AS(int, int, ffs, __ffs)
CONVERSION_AS(long long, int, ffsll, __ffsll)
CONVERSION_AS(unsigned, int, popc, __popc)
CONVERSION_AS(unsigned long long, int, popcll, __popcll)
BINARY_AS(int, max, ::max)
BINARY_AS(int, min, ::min)
BINARY_AS(unsigned, umax, ::max)
BINARY_AS(unsigned, umin, ::min)
BINARY_AS(long long, llmax, ::max)
BINARY_AS(long long, llmin, ::min)
BINARY_AS(unsigned long long, ullmax, ::max)
BINARY_AS(unsigned long long, ullmin, ::min)
BINARY_AS(int, hadd, __hadd)
BINARY_AS(int, rhadd, __rhadd)
BINARY_AS(unsigned, uhadd, __uhadd)
BINARY_AS(unsigned, urhadd, __urhadd)
BINARY_AS(int, mul24, __mul24)
BINARY_AS(unsigned, umul24, __umul24)
BINARY_AS(int, mulhi, __mulhi)
BINARY_AS(unsigned, umulhi, __umulhi)
BINARY_AS(long long, mul64hi, __mul64hi)
BINARY_AS(unsigned long long, umul64hi, __umul64hi)
API unsigned __nv_byte_perm(unsigned x, unsigned y, unsigned selector) { return __byte_perm(x, y, selector); }
API unsigned __nv_sad(int x, int y, unsigned z) { return __sad(x, y, z); }
API unsigned __nv_usad(unsigned x, unsigned y, unsigned z) { return __usad(x, y, z); }

CONVERSION_AS(double, int, ilogb, ::ilogb)
CONVERSION_AS(float, int, ilogbf, ::ilogbf)
CONVERSION_AS(double, long long, llrint, ::llrint)
CONVERSION_AS(float, long long, llrintf, ::llrintf)
CONVERSION_AS(double, long long, llround, ::llround)
CONVERSION_AS(float, long long, llroundf, ::llroundf)
API int __nv_isfinited(double x) { return isfinite(x); }
API int __nv_isinfd(double x) { return isinf(x); }
API int __nv_isnand(double x) { return isnan(x); }
API int __nv_signbitd(double x) { return signbit(x); }
API int __nv_finitef(float x) { return isfinite(x); }
API int __nv_isinff(float x) { return isinf(x); }
API int __nv_isnanf(float x) { return isnan(x); }
API int __nv_signbitf(float x) { return signbit(x); }

// One declaration a type for those with other parameters.
#define OF_BOTH(X) X(double, ) X(float, f)
#define WITH_EXPONENT(type, f)                                                                   \
  API type __nv_ldexp##f(type x, int exponent) { return ldexp##f(x, exponent); }                 \
  API type __nv_scalbn##f(type x, int exponent) { return scalbn##f(x, exponent); }               \
  API type __nv_powi##f(type x, int exponent) { return pow##f(x, static_cast<type>(exponent)); } \
  API type __nv_jn##f(int order, type x) { return jn##f(order, x); }                             \
  API type __nv_yn##f(int order, type x) { return yn##f(order, x); }
#define WITH_POINTERS(type, f)                                                                 \
  API type __nv_frexp##f(type x, int* exponent) { return frexp##f(x, exponent); }              \
  API type __nv_modf##f(type x, type* whole) { return modf##f(x, whole); }                     \
  API type __nv_remquo##f(type x, type y, int* quotient) { return remquo##f(x, y, quotient); } \
  API void __nv_sincos##f(type x, type* sine, type* cosine) { sincos##f(x, sine, cosine); }    \
  API void __nv_sincospi##f(type x, type* sine, type* cosine) { sincospi##f(x, sine, cosine); }
#define OF_VECTORS(type, f)                                                                   \
  API type __nv_norm4d##f(type a, type b, type c, type d) { return norm4d##f(a, b, c, d); }   \
  API type __nv_rnorm4d##f(type a, type b, type c, type d) { return rnorm4d##f(a, b, c, d); } \
  API type __nv_norm##f(int n, const type* x) { return norm##f(n, x); }                       \
  API type __nv_rnorm##f(int n, const type* x) { return rnorm##f(n, x); }
OF_BOTH(WITH_EXPONENT)
OF_BOTH(WITH_POINTERS)
OF_BOTH(OF_VECTORS)
