// 8-bit floating point: e4m3 and e5m2, alone and in pairs; conversions saturate to the largest finite number or keep infinities.
#pragma once
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

WARPWRIGHT_HALF_BOTH __nv_fp8x2_storage_t __warpwright_to_fp8x2(float low, float high, __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t format) {
#ifdef __CUDA_ARCH__
  unsigned short bits;
  if (format == __NV_E4M3)
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(high), "f"(low));
  else
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(high), "f"(low));
  if (saturation == __NV_SATFINITE) return bits;
  // The instruction always saturates; without saturation what lies half a last place beyond the largest number becomes infinity or NaN.
  const float limit = format == __NV_E4M3 ? 464.0f : 61440.0f;
  const unsigned beyond = format == __NV_E4M3 ? 0x7f : 0x7c;
  const bool lowBeyond = format == __NV_E4M3 ? fabsf(low) > limit : fabsf(low) >= limit;
  const bool highBeyond = format == __NV_E4M3 ? fabsf(high) > limit : fabsf(high) >= limit;
  unsigned result = bits;
  if (lowBeyond) result = (result & 0xff80) | beyond;
  if (highBeyond) result = (result & 0x80ff) | beyond << 8;
  return (unsigned short)result;
#else
  const __warpwright_half::Format& target = format == __NV_E4M3 ? __warpwright_half::kE4m3 : __warpwright_half::kE5m2;
  const auto encode = [&](float f) {
    const bool finite = saturation == __NV_SATFINITE;
    if (!finite && format == __NV_E4M3 && fabsf(f) > 464.0f) return signbit(f) ? 0xffu : 0x7fu;
    return __warpwright_half::encode(target, f, __warpwright_half::Direction::nearest, finite);
  };
  return (unsigned short)(encode(high) << 8 | encode(low));
#endif
}
WARPWRIGHT_HALF_BOTH __half2 __warpwright_from_fp8x2(__nv_fp8x2_storage_t bits, __nv_fp8_interpretation_t format) {
#ifdef __CUDA_ARCH__
  unsigned word;
  if (format == __NV_E4M3)
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(word) : "h"(bits));
  else
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(word) : "h"(bits));
  return __builtin_bit_cast(__half2, word);
#else
  const __warpwright_half::Format& source = format == __NV_E4M3 ? __warpwright_half::kE4m3 : __warpwright_half::kE5m2;
  return __half2((float)__warpwright_half::decode(source, bits & 0xff), (float)__warpwright_half::decode(source, bits >> 8));
#endif
}

// Towards zero, and to an odd last bit unless it is exact.
WARPWRIGHT_HALF_BOTH float __warpwright_double_to_odd_float(double d) {
  const float nearest = (float)d;
  if ((double)nearest == d || d != d) return nearest;
  unsigned bits = __builtin_bit_cast(unsigned, nearest);
  if (fabs((double)nearest) > fabs(d)) --bits;
  return __builtin_bit_cast(float, bits | 1);
}
WARPWRIGHT_HALF_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float f, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
  return (__nv_fp8_storage_t)__warpwright_to_fp8x2(f, 0.0f, saturation, format);
}
WARPWRIGHT_HALF_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw h, __nv_saturation_t saturation,
                                                                __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__half2float(h), saturation, format);
}
WARPWRIGHT_HALF_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw h, __nv_saturation_t saturation,
                                                                    __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__bfloat162float(h), saturation, format);
}
// The float between has its last bit set where the double lies beside it: so it rounds as the double would.
WARPWRIGHT_HALF_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double d, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__warpwright_double_to_odd_float(d), saturation, format);
}
WARPWRIGHT_HALF_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
  return __warpwright_from_fp8x2(bits, format).x;
}

#define WARPWRIGHT_FP8(Type, Type2, format)                                                                                 \
  struct Type {                                                                                                             \
    __nv_fp8_storage_t __x;                                                                                                 \
    Type() = default;                                                                                                       \
    WARPWRIGHT_HALF_MEMBER explicit Type(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, format)) {}                \
    WARPWRIGHT_HALF_MEMBER explicit Type(double d) : __x(__nv_cvt_double_to_fp8(d, __NV_SATFINITE, format)) {}              \
    WARPWRIGHT_HALF_MEMBER explicit Type(__half h) : Type(__half2float(h)) {}                                               \
    WARPWRIGHT_HALF_MEMBER explicit Type(__nv_bfloat16 h) : Type(__bfloat162float(h)) {}                                    \
    WARPWRIGHT_HALF_MEMBER explicit operator __half() const { return __warpwright_from_fp8x2(__x, format).x; }              \
    WARPWRIGHT_HALF_MEMBER explicit operator float() const { return __half2float(__warpwright_from_fp8x2(__x, format).x); } \
    WARPWRIGHT_HALF_MEMBER explicit operator double() const { return (double)(float)*this; }                                \
    WARPWRIGHT_HALF_MEMBER explicit operator bool() const { return (__x & 0x7f) != 0; }                                     \
  };                                                                                                                        \
  struct __attribute__((aligned(2))) Type2 {                                                                                \
    __nv_fp8x2_storage_t __x;                                                                                               \
    Type2() = default;                                                                                                      \
    WARPWRIGHT_HALF_MEMBER explicit Type2(__half2 h)                                                                        \
        : __x(__warpwright_to_fp8x2(__half2float(h.x), __half2float(h.y), __NV_SATFINITE, format)) {}                       \
    WARPWRIGHT_HALF_MEMBER explicit operator __half2() const { return __warpwright_from_fp8x2(__x, format); }               \
    WARPWRIGHT_FP8_FLOAT2(format)                                                                                           \
  };
#ifdef __CUDA__
#define WARPWRIGHT_FP8_FLOAT2(format) \
  WARPWRIGHT_HALF_MEMBER explicit operator float2() const { return __half22float2((__half2) * this); }
#else
#define WARPWRIGHT_FP8_FLOAT2(format)
#endif
WARPWRIGHT_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __NV_E4M3)
WARPWRIGHT_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __NV_E5M2)
#undef WARPWRIGHT_FP8
#undef WARPWRIGHT_FP8_FLOAT2
