// Half precision (f16): types, conversions and arithmetic, on the device and on the host.
#pragma once

#include "warpwright/half/define.h"

#ifdef __CUDA__
#include "cuda_runtime.h"
#endif

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct __half;
WARPWRIGHT_HALF_BOTH float __half2float(__half h);
WARPWRIGHT_HALF_BOTH __half __float2half_rn(float f);

struct __attribute__((aligned(2))) __half {
  unsigned short __x;

  __half() = default;
  WARPWRIGHT_HALF_MEMBER __half(__half_raw raw) : __x(raw.x) {}
  WARPWRIGHT_HALF_MEMBER __half(float f) : __x(__float2half_rn(f).__x) {}
  WARPWRIGHT_HALF_MEMBER __half(double d);
  WARPWRIGHT_HALF_MEMBER __half(int i);
  WARPWRIGHT_HALF_MEMBER __half(unsigned i);
  WARPWRIGHT_HALF_MEMBER __half(short i) : __half((int)i) {}
  WARPWRIGHT_HALF_MEMBER __half(unsigned short i) : __half((unsigned)i) {}
  WARPWRIGHT_HALF_MEMBER __half(long long i);
  WARPWRIGHT_HALF_MEMBER __half(unsigned long long i);
  WARPWRIGHT_HALF_MEMBER static __half fromBits(unsigned short bits) {
    __half_raw raw = {bits};
    return __half(raw);
  }

  WARPWRIGHT_HALF_MEMBER operator float() const { return __half2float(*this); }
  WARPWRIGHT_HALF_MEMBER operator __half_raw() const { return __half_raw{__x}; }
  WARPWRIGHT_HALF_MEMBER explicit operator bool() const { return (__x & 0x7fff) != 0; }
  WARPWRIGHT_HALF_MEMBER explicit operator int() const { return (int)__half2float(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator unsigned() const { return (unsigned)__half2float(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator long long() const { return (long long)__half2float(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator double() const { return (double)__half2float(*this); }
};

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  WARPWRIGHT_HALF_MEMBER __half2(__half low, __half high) : x(low), y(high) {}
};
typedef __half half;
typedef __half2 half2;

// --- conversions. The suffix is the direction of rounding: nearest even, towards zero, down, up.
#ifdef __CUDA_ARCH__
#define WARPWRIGHT_CONVERT(name, mode, direction, From, ptx, constraint)       \
  WARPWRIGHT_HALF_BOTH __half name(From value) {                               \
    __half r;                                                                  \
    asm("cvt." mode ".f16." ptx " %0, %1;" : "=h"(r.__x) : constraint(value)); \
    return r;                                                                  \
  }
#define WARPWRIGHT_CONVERT_BACK(name, mode, direction, To, ptx, constraint)   \
  WARPWRIGHT_HALF_BOTH To name(__half h) {                                    \
    To r;                                                                     \
    asm("cvt." mode "." ptx ".f16 %0, %1;" : "=" constraint(r) : "h"(h.__x)); \
    return r;                                                                 \
  }
#else
#define WARPWRIGHT_CONVERT(name, mode, direction, From, ptx, constraint)                                                              \
  WARPWRIGHT_HALF_BOTH __half name(From value) {                                                                                      \
    return __half::fromBits(                                                                                                          \
        (unsigned short)__warpwright_half::encode(__warpwright_half::kHalf, (double)value, __warpwright_half::Direction::direction)); \
  }
#define WARPWRIGHT_CONVERT_BACK(name, mode, direction, To, ptx, constraint)                                                       \
  WARPWRIGHT_HALF_BOTH To name(__half h) {                                                                                        \
    const double value = __warpwright_half::decode(__warpwright_half::kHalf, h.__x);                                              \
    const double whole = __warpwright_half::roundedInteger(fabs(value), __warpwright_half::Direction::direction, signbit(value)); \
    return isnan(value) ? (To)0 : (To)(signbit(value) ? -whole : whole);                                                          \
  }
#endif
#define WARPWRIGHT_CONVERT_MODES(stem, From, ptx, constraint)         \
  WARPWRIGHT_CONVERT(stem##_rn, "rn", nearest, From, ptx, constraint) \
  WARPWRIGHT_CONVERT(stem##_rz, "rz", zero, From, ptx, constraint)    \
  WARPWRIGHT_CONVERT(stem##_rd, "rm", down, From, ptx, constraint)    \
  WARPWRIGHT_CONVERT(stem##_ru, "rp", up, From, ptx, constraint)
#define WARPWRIGHT_CONVERT_BACK_MODES(stem, To, ptx, constraint)          \
  WARPWRIGHT_CONVERT_BACK(stem##_rn, "rni", nearest, To, ptx, constraint) \
  WARPWRIGHT_CONVERT_BACK(stem##_rz, "rzi", zero, To, ptx, constraint)    \
  WARPWRIGHT_CONVERT_BACK(stem##_rd, "rmi", down, To, ptx, constraint)    \
  WARPWRIGHT_CONVERT_BACK(stem##_ru, "rpi", up, To, ptx, constraint)
WARPWRIGHT_CONVERT_MODES(__float2half, float, "f32", "f")
WARPWRIGHT_CONVERT(__double2half, "rn", nearest, double, "f64", "d")
WARPWRIGHT_CONVERT_MODES(__int2half, int, "s32", "r")
WARPWRIGHT_CONVERT_MODES(__uint2half, unsigned, "u32", "r")
WARPWRIGHT_CONVERT_MODES(__short2half, short, "s16", "h")
WARPWRIGHT_CONVERT_MODES(__ushort2half, unsigned short, "u16", "h")
WARPWRIGHT_CONVERT_MODES(__ll2half, long long, "s64", "l")
WARPWRIGHT_CONVERT_MODES(__ull2half, unsigned long long, "u64", "l")
WARPWRIGHT_CONVERT_BACK_MODES(__half2int, int, "s32", "r")
WARPWRIGHT_CONVERT_BACK_MODES(__half2uint, unsigned, "u32", "r")
WARPWRIGHT_CONVERT_BACK_MODES(__half2short, short, "s16", "h")
WARPWRIGHT_CONVERT_BACK_MODES(__half2ushort, unsigned short, "u16", "h")
WARPWRIGHT_CONVERT_BACK_MODES(__half2ll, long long, "s64", "l")
WARPWRIGHT_CONVERT_BACK_MODES(__half2ull, unsigned long long, "u64", "l")
#undef WARPWRIGHT_CONVERT
#undef WARPWRIGHT_CONVERT_MODES
#undef WARPWRIGHT_CONVERT_BACK
#undef WARPWRIGHT_CONVERT_BACK_MODES

WARPWRIGHT_HALF_BOTH __half __float2half(float f) { return __float2half_rn(f); }
WARPWRIGHT_HALF_BOTH float __half2float(__half h) {
#ifdef __CUDA_ARCH__
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h.__x));
  return f;
#else
  return (float)__warpwright_half::decode(__warpwright_half::kHalf, h.__x);
#endif
}
WARPWRIGHT_HALF_MEMBER __half::__half(double d) : __x(__double2half(d).__x) {}
WARPWRIGHT_HALF_MEMBER __half::__half(int i) : __x(__int2half_rn(i).__x) {}
WARPWRIGHT_HALF_MEMBER __half::__half(unsigned i) : __x(__uint2half_rn(i).__x) {}
WARPWRIGHT_HALF_MEMBER __half::__half(long long i) : __x(__ll2half_rn(i).__x) {}
WARPWRIGHT_HALF_MEMBER __half::__half(unsigned long long i) : __x(__ull2half_rn(i).__x) {}

WARPWRIGHT_HALF_BOTH float __warpwright_widen(__half h) { return __half2float(h); }
WARPWRIGHT_HALF_BOTH void __warpwright_narrow(__half* h, float f) { *h = __float2half_rn(f); }

WARPWRIGHT_HALF_BOTH short __half_as_short(__half h) { return (short)h.__x; }
WARPWRIGHT_HALF_BOTH unsigned short __half_as_ushort(__half h) { return h.__x; }
WARPWRIGHT_HALF_BOTH __half __short_as_half(short bits) { return __half::fromBits((unsigned short)bits); }
WARPWRIGHT_HALF_BOTH __half __ushort_as_half(unsigned short bits) { return __half::fromBits(bits); }

WARPWRIGHT_HALF_BOTH __half2 __floats2half2_rn(float low, float high) { return __half2(__float2half_rn(low), __float2half_rn(high)); }
WARPWRIGHT_HALF_BOTH __half2 __float2half2_rn(float f) { return __half2(__float2half_rn(f), __float2half_rn(f)); }
WARPWRIGHT_HALF_BOTH float __low2float(__half2 h) { return __warpwright_widen(h.x); }
WARPWRIGHT_HALF_BOTH float __high2float(__half2 h) { return __warpwright_widen(h.y); }
WARPWRIGHT_HALF_BOTH __half2 __half2half2(__half h) { return __half2(h, h); }
WARPWRIGHT_HALF_BOTH __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
WARPWRIGHT_HALF_BOTH __half __low2half(__half2 h) { return h.x; }
WARPWRIGHT_HALF_BOTH __half __high2half(__half2 h) { return h.y; }
WARPWRIGHT_HALF_BOTH __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
WARPWRIGHT_HALF_BOTH __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
WARPWRIGHT_HALF_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
WARPWRIGHT_HALF_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
WARPWRIGHT_HALF_BOTH __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
#ifdef __CUDA__
WARPWRIGHT_HALF_BOTH float2 __half22float2(__half2 h) { return make_float2(__half2float(h.x), __half2float(h.y)); }
WARPWRIGHT_HALF_BOTH __half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }
#endif

#define WARPWRIGHT_H __half
#define WARPWRIGHT_H2 __half2
#define WARPWRIGHT_H_PTX "f16"
#define WARPWRIGHT_H_FORMAT __warpwright_half::kHalf
#define WARPWRIGHT_H_INFINITY 0x7c00
#define WARPWRIGHT_H_ONE 0x3c00
#include "warpwright/half/arithmetic.h"
