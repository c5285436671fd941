// Brain floating point (bf16): types, conversions and arithmetic, on the device and on the host.
#pragma once

#include "warpwright/half/define.h"

#ifdef __CUDA__
#include "cuda_runtime.h"
#endif

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __nv_bfloat16;
WARPWRIGHT_HALF_BOTH float __bfloat162float(__nv_bfloat16 h);
WARPWRIGHT_HALF_BOTH __nv_bfloat16 __float2bfloat16_rn(float f);

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(float f) : __x(__float2bfloat16_rn(f).__x) {}
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(double d);
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(int i);
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(unsigned i);
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(short i) : __nv_bfloat16((int)i) {}
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(unsigned short i) : __nv_bfloat16((unsigned)i) {}
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(long long i);
  WARPWRIGHT_HALF_MEMBER __nv_bfloat16(unsigned long long i);
  WARPWRIGHT_HALF_MEMBER static __nv_bfloat16 fromBits(unsigned short bits) {
    __nv_bfloat16_raw raw = {bits};
    return __nv_bfloat16(raw);
  }

  WARPWRIGHT_HALF_MEMBER operator float() const { return __bfloat162float(*this); }
  WARPWRIGHT_HALF_MEMBER operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  WARPWRIGHT_HALF_MEMBER explicit operator bool() const { return (__x & 0x7fff) != 0; }
  WARPWRIGHT_HALF_MEMBER explicit operator int() const { return (int)__bfloat162float(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator unsigned() const { return (unsigned)__bfloat162float(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator long long() const { return (long long)__bfloat162float(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator double() const { return (double)__bfloat162float(*this); }
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  WARPWRIGHT_HALF_MEMBER __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// --- conversions. The suffix is the direction of rounding: nearest even, towards zero, down, up.
#ifdef __CUDA_ARCH__
#define WARPWRIGHT_CONVERT(name, mode, direction, From, ptx, constraint)        \
  WARPWRIGHT_HALF_BOTH __nv_bfloat16 name(From value) {                         \
    __nv_bfloat16 r;                                                            \
    asm("cvt." mode ".bf16." ptx " %0, %1;" : "=h"(r.__x) : constraint(value)); \
    return r;                                                                   \
  }
#define WARPWRIGHT_CONVERT_BACK(name, mode, direction, To, ptx, constraint)    \
  WARPWRIGHT_HALF_BOTH To name(__nv_bfloat16 h) {                              \
    To r;                                                                      \
    asm("cvt." mode "." ptx ".bf16 %0, %1;" : "=" constraint(r) : "h"(h.__x)); \
    return r;                                                                  \
  }
#else
#define WARPWRIGHT_CONVERT(name, mode, direction, From, ptx, constraint)                                                               \
  WARPWRIGHT_HALF_BOTH __nv_bfloat16 name(From value) {                                                                                \
    return __nv_bfloat16::fromBits(                                                                                                    \
        (unsigned short)__warpwright_half::encode(__warpwright_half::kBrain, (double)value, __warpwright_half::Direction::direction)); \
  }
#define WARPWRIGHT_CONVERT_BACK(name, mode, direction, To, ptx, constraint)                                                       \
  WARPWRIGHT_HALF_BOTH To name(__nv_bfloat16 h) {                                                                                 \
    const double value = __warpwright_half::decode(__warpwright_half::kBrain, h.__x);                                             \
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
WARPWRIGHT_CONVERT_MODES(__float2bfloat16, float, "f32", "f")
WARPWRIGHT_CONVERT(__double2bfloat16, "rn", nearest, double, "f64", "d")
WARPWRIGHT_CONVERT_MODES(__int2bfloat16, int, "s32", "r")
WARPWRIGHT_CONVERT_MODES(__uint2bfloat16, unsigned, "u32", "r")
WARPWRIGHT_CONVERT_MODES(__short2bfloat16, short, "s16", "h")
WARPWRIGHT_CONVERT_MODES(__ushort2bfloat16, unsigned short, "u16", "h")
WARPWRIGHT_CONVERT_MODES(__ll2bfloat16, long long, "s64", "l")
WARPWRIGHT_CONVERT_MODES(__ull2bfloat16, unsigned long long, "u64", "l")
WARPWRIGHT_CONVERT_BACK_MODES(__bfloat162int, int, "s32", "r")
WARPWRIGHT_CONVERT_BACK_MODES(__bfloat162uint, unsigned, "u32", "r")
WARPWRIGHT_CONVERT_BACK_MODES(__bfloat162short, short, "s16", "h")
WARPWRIGHT_CONVERT_BACK_MODES(__bfloat162ushort, unsigned short, "u16", "h")
WARPWRIGHT_CONVERT_BACK_MODES(__bfloat162ll, long long, "s64", "l")
WARPWRIGHT_CONVERT_BACK_MODES(__bfloat162ull, unsigned long long, "u64", "l")
#undef WARPWRIGHT_CONVERT
#undef WARPWRIGHT_CONVERT_MODES
#undef WARPWRIGHT_CONVERT_BACK
#undef WARPWRIGHT_CONVERT_BACK_MODES

WARPWRIGHT_HALF_BOTH __nv_bfloat16 __float2bfloat16(float f) { return __float2bfloat16_rn(f); }
WARPWRIGHT_HALF_BOTH float __bfloat162float(__nv_bfloat16 h) {
#ifdef __CUDA_ARCH__
  float f;
  asm("cvt.f32.bf16 %0, %1;" : "=f"(f) : "h"(h.__x));
  return f;
#else
  return (float)__warpwright_half::decode(__warpwright_half::kBrain, h.__x);
#endif
}
WARPWRIGHT_HALF_MEMBER __nv_bfloat16::__nv_bfloat16(double d) : __x(__double2bfloat16(d).__x) {}
WARPWRIGHT_HALF_MEMBER __nv_bfloat16::__nv_bfloat16(int i) : __x(__int2bfloat16_rn(i).__x) {}
WARPWRIGHT_HALF_MEMBER __nv_bfloat16::__nv_bfloat16(unsigned i) : __x(__uint2bfloat16_rn(i).__x) {}
WARPWRIGHT_HALF_MEMBER __nv_bfloat16::__nv_bfloat16(long long i) : __x(__ll2bfloat16_rn(i).__x) {}
WARPWRIGHT_HALF_MEMBER __nv_bfloat16::__nv_bfloat16(unsigned long long i) : __x(__ull2bfloat16_rn(i).__x) {}

WARPWRIGHT_HALF_BOTH float __warpwright_widen(__nv_bfloat16 h) { return __bfloat162float(h); }
WARPWRIGHT_HALF_BOTH void __warpwright_narrow(__nv_bfloat16* h, float f) { *h = __float2bfloat16_rn(f); }

WARPWRIGHT_HALF_BOTH short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
WARPWRIGHT_HALF_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
WARPWRIGHT_HALF_BOTH __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16::fromBits((unsigned short)bits); }
WARPWRIGHT_HALF_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16::fromBits(bits); }

WARPWRIGHT_HALF_BOTH __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return __nv_bfloat162(__float2bfloat16_rn(low), __float2bfloat16_rn(high));
}
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(__float2bfloat16_rn(f), __float2bfloat16_rn(f)); }
WARPWRIGHT_HALF_BOTH float __low2float(__nv_bfloat162 h) { return __warpwright_widen(h.x); }
WARPWRIGHT_HALF_BOTH float __high2float(__nv_bfloat162 h) { return __warpwright_widen(h.y); }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return __nv_bfloat162(h, h); }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return __nv_bfloat162(low, high); }
WARPWRIGHT_HALF_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) { return h.x; }
WARPWRIGHT_HALF_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) { return h.y; }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 h) { return __nv_bfloat162(h.x, h.x); }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 h) { return __nv_bfloat162(h.y, h.y); }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 h) { return __nv_bfloat162(h.y, h.x); }
#ifdef __CUDA__
WARPWRIGHT_HALF_BOTH float2 __bfloat1622float2(__nv_bfloat162 h) { return make_float2(__bfloat162float(h.x), __bfloat162float(h.y)); }
WARPWRIGHT_HALF_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __floats2bfloat162_rn(f.x, f.y); }
#endif

#define WARPWRIGHT_H __nv_bfloat16
#define WARPWRIGHT_H2 __nv_bfloat162
#define WARPWRIGHT_H_PTX "bf16"
#define WARPWRIGHT_H_FORMAT __warpwright_half::kBrain
#define WARPWRIGHT_H_INFINITY 0x7f80
#define WARPWRIGHT_H_ONE 0x3f80
#include "warpwright/half/arithmetic.h"
