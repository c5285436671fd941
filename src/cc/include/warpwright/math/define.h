// What the device math library is written in: plain functions that compile for the device and, for tests, for the host.
#pragma once

#if defined(__CUDA__)
#define WARPWRIGHT_MATH static __inline__ __attribute__((device, nodebug))
#else
#define WARPWRIGHT_MATH static inline
#endif

namespace warpwright::math {

typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;
typedef long long s64;

WARPWRIGHT_MATH u64 bitsOf(double x) { return __builtin_bit_cast(u64, x); }
WARPWRIGHT_MATH u32 bitsOf(float x) { return __builtin_bit_cast(u32, x); }
WARPWRIGHT_MATH double fromBits(u64 x) { return __builtin_bit_cast(double, x); }
WARPWRIGHT_MATH float fromBits(u32 x) { return __builtin_bit_cast(float, x); }

WARPWRIGHT_MATH double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WARPWRIGHT_MATH float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

// Products and sums that no compiler may fuse: error-free transformations depend on their rounding. Inline PTX, because LLVM takes
// its own intrinsics for plain operations and contracts them.
#if defined(__CUDA_ARCH__)
#define WARPWRIGHT_UNFUSED(name, instruction, T, constraint)                                 \
  WARPWRIGHT_MATH T name(T x, T y) {                                                         \
    T result;                                                                                \
    asm(instruction " %0, %1, %2;" : "=" constraint(result) : constraint(x), constraint(y)); \
    return result;                                                                           \
  }
WARPWRIGHT_UNFUSED(mulRn, "mul.rn.f64", double, "d")
WARPWRIGHT_UNFUSED(mulRn, "mul.rn.f32", float, "f")
WARPWRIGHT_UNFUSED(addRn, "add.rn.f64", double, "d")
WARPWRIGHT_UNFUSED(addRn, "add.rn.f32", float, "f")
#undef WARPWRIGHT_UNFUSED
#else
WARPWRIGHT_MATH double mulRn(double x, double y) { return x * y; }
WARPWRIGHT_MATH float mulRn(float x, float y) { return x * y; }
WARPWRIGHT_MATH double addRn(double x, double y) { return x + y; }
WARPWRIGHT_MATH float addRn(float x, float y) { return x + y; }
#endif

#if defined(__CUDA_ARCH__)
WARPWRIGHT_MATH u64 mulHigh(u64 x, u64 y) { return __nvvm_mulhi_ull(x, y); }
WARPWRIGHT_MATH double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
WARPWRIGHT_MATH float sqrt(float x) { return __nvvm_sqrt_rn_f(x); }
#else
WARPWRIGHT_MATH u64 mulHigh(u64 x, u64 y) { return (u64)((unsigned __int128)x * y >> 64); }
WARPWRIGHT_MATH double sqrt(double x) { return __builtin_sqrt(x); }
WARPWRIGHT_MATH float sqrt(float x) { return __builtin_sqrtf(x); }
#endif

WARPWRIGHT_MATH double fabs(double x) { return __builtin_fabs(x); }
WARPWRIGHT_MATH float fabs(float x) { return __builtin_fabsf(x); }
WARPWRIGHT_MATH double copysign(double x, double sign) { return __builtin_copysign(x, sign); }
WARPWRIGHT_MATH float copysign(float x, float sign) { return __builtin_copysignf(x, sign); }
WARPWRIGHT_MATH double floor(double x) { return __builtin_floor(x); }
WARPWRIGHT_MATH float floor(float x) { return __builtin_floorf(x); }
WARPWRIGHT_MATH double ceil(double x) { return __builtin_ceil(x); }
WARPWRIGHT_MATH float ceil(float x) { return __builtin_ceilf(x); }
WARPWRIGHT_MATH double trunc(double x) { return __builtin_trunc(x); }
WARPWRIGHT_MATH float trunc(float x) { return __builtin_truncf(x); }
WARPWRIGHT_MATH double rint(double x) { return __builtin_rint(x); }
WARPWRIGHT_MATH float rint(float x) { return __builtin_rintf(x); }
WARPWRIGHT_MATH double fmax(double x, double y) { return __builtin_fmax(x, y); }
WARPWRIGHT_MATH float fmax(float x, float y) { return __builtin_fmaxf(x, y); }
WARPWRIGHT_MATH double fmin(double x, double y) { return __builtin_fmin(x, y); }
WARPWRIGHT_MATH float fmin(float x, float y) { return __builtin_fminf(x, y); }

WARPWRIGHT_MATH double infinity(double) { return __builtin_inf(); }
WARPWRIGHT_MATH float infinity(float) { return __builtin_inff(); }
WARPWRIGHT_MATH double notANumber() { return __builtin_nan(""); }
WARPWRIGHT_MATH float notANumberF() { return __builtin_nanf(""); }
WARPWRIGHT_MATH bool isNan(double x) { return x != x; }
WARPWRIGHT_MATH bool isNan(float x) { return x != x; }
WARPWRIGHT_MATH bool isInf(double x) { return fabs(x) == __builtin_inf(); }
WARPWRIGHT_MATH bool isInf(float x) { return fabs(x) == __builtin_inff(); }
WARPWRIGHT_MATH bool isFinite(double x) { return fabs(x) < __builtin_inf(); }
WARPWRIGHT_MATH bool isFinite(float x) { return fabs(x) < __builtin_inff(); }

// 2^n for a normal result.
WARPWRIGHT_MATH double powerOfTwo(int n) { return fromBits((u64)(n + 1023) << 52); }
WARPWRIGHT_MATH float powerOfTwoF(int n) { return fromBits((u32)(n + 127) << 23); }

// x * 2^n for |n| up to 2100 (f32: 300), rounded once at the end: two factors keep every step in range.
WARPWRIGHT_MATH double scale(double x, int n) {
  int half = n / 2;
  return x * powerOfTwo(half) * powerOfTwo(n - half);
}
WARPWRIGHT_MATH float scale(float x, int n) {
  int half = n / 2;
  return x * powerOfTwoF(half) * powerOfTwoF(n - half);
}

}  // namespace warpwright::math
