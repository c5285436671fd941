// Arithmetic with a named rounding mode, and the fast approximations. PTX: add, mul, fma, div, rcp, sqrt with .rn .rz .rm .rp.
#pragma once

// CUDA promises that these never become part of a fused multiply-add; LLVM's own intrinsics would.
#define WARPWRIGHT_UNFUSED(name, instruction, T, constraint)                                 \
  WARPWRIGHT_DEVICE T name(T x, T y) {                                                       \
    T result;                                                                                \
    asm(instruction " %0, %1, %2;" : "=" constraint(result) : constraint(x), constraint(y)); \
    return result;                                                                           \
  }
#ifdef __USE_FAST_MATH__
#define WARPWRIGHT_FTZ ".ftz"
#else
#define WARPWRIGHT_FTZ ""
#endif
#define WARPWRIGHT_MODES(define) define(rn, rn) define(rz, rz) define(rd, rm) define(ru, rp)

#define WARPWRIGHT_ROUNDED(mode, ptx)                                                                           \
  WARPWRIGHT_UNFUSED(__fadd_##mode, "add." #ptx WARPWRIGHT_FTZ ".f32", float, "f")                              \
  WARPWRIGHT_UNFUSED(__fsub_##mode, "sub." #ptx WARPWRIGHT_FTZ ".f32", float, "f")                              \
  WARPWRIGHT_UNFUSED(__fmul_##mode, "mul." #ptx WARPWRIGHT_FTZ ".f32", float, "f")                              \
  WARPWRIGHT_DEVICE float __fmaf_##mode(float x, float y, float z) { return __nvvm_fma_##ptx##_f(x, y, z); }    \
  WARPWRIGHT_DEVICE float __fdiv_##mode(float x, float y) { return __nvvm_div_##ptx##_f(x, y); }                \
  WARPWRIGHT_DEVICE float __frcp_##mode(float x) { return __nvvm_rcp_##ptx##_f(x); }                            \
  WARPWRIGHT_DEVICE float __fsqrt_##mode(float x) { return __nvvm_sqrt_##ptx##_f(x); }                          \
  WARPWRIGHT_UNFUSED(__dadd_##mode, "add." #ptx ".f64", double, "d")                                            \
  WARPWRIGHT_UNFUSED(__dsub_##mode, "sub." #ptx ".f64", double, "d")                                            \
  WARPWRIGHT_UNFUSED(__dmul_##mode, "mul." #ptx ".f64", double, "d")                                            \
  WARPWRIGHT_DEVICE double __fma_##mode(double x, double y, double z) { return __nvvm_fma_##ptx##_d(x, y, z); } \
  WARPWRIGHT_DEVICE double __ddiv_##mode(double x, double y) { return __nvvm_div_##ptx##_d(x, y); }             \
  WARPWRIGHT_DEVICE double __drcp_##mode(double x) { return __nvvm_rcp_##ptx##_d(x); }                          \
  WARPWRIGHT_DEVICE double __dsqrt_##mode(double x) { return __nvvm_sqrt_##ptx##_d(x); }
WARPWRIGHT_MODES(WARPWRIGHT_ROUNDED)

// Denormals count even where -ftz=true flushes them elsewhere.
#define WARPWRIGHT_IEEE(mode, ptx)                                                   \
  WARPWRIGHT_DEVICE float __fmaf_ieee_##mode(float x, float y, float z) {            \
    float result;                                                                    \
    asm("fma." #ptx ".f32 %0, %1, %2, %3;" : "=f"(result) : "f"(x), "f"(y), "f"(z)); \
    return result;                                                                   \
  }
WARPWRIGHT_MODES(WARPWRIGHT_IEEE)
#undef WARPWRIGHT_IEEE
#undef WARPWRIGHT_ROUNDED
#undef WARPWRIGHT_MODES
#undef WARPWRIGHT_UNFUSED
#undef WARPWRIGHT_FTZ

// Rounded correctly: the double result is never so close to the middle of two floats that rounding twice errs (checked for every mantissa).
WARPWRIGHT_DEVICE float __frsqrt_rn(float x) { return (float)__ddiv_rn(1.0, __dsqrt_rn(x)); }

// The approximate functions of the special-function unit: sin.approx, cos.approx, ex2.approx, lg2.approx. -use_fast_math flushes
// denormals, as nvcc does.
#ifdef __USE_FAST_MATH__
#define WARPWRIGHT_APPROXIMATE(name) __nvvm_##name##_ftz_f
#else
#define WARPWRIGHT_APPROXIMATE(name) __nvvm_##name##_f
#endif

WARPWRIGHT_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
WARPWRIGHT_DEVICE float __fdividef(float x, float y) { return WARPWRIGHT_APPROXIMATE(div_approx)(x, y); }
WARPWRIGHT_DEVICE float fdividef(float x, float y) { return x / y; }
WARPWRIGHT_DEVICE double fdivide(double x, double y) { return x / y; }

WARPWRIGHT_DEVICE float __sinf(float x) { return WARPWRIGHT_APPROXIMATE(sin_approx)(x); }
WARPWRIGHT_DEVICE float __cosf(float x) { return WARPWRIGHT_APPROXIMATE(cos_approx)(x); }
WARPWRIGHT_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
WARPWRIGHT_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
WARPWRIGHT_DEVICE float __log2f(float x) { return WARPWRIGHT_APPROXIMATE(lg2_approx)(x); }
WARPWRIGHT_DEVICE float __logf(float x) { return __log2f(x) * 0x1.62e430p-1f; }
WARPWRIGHT_DEVICE float __log10f(float x) { return __log2f(x) * 0x1.344136p-2f; }
WARPWRIGHT_DEVICE float __warpwright_exp2_approx(float x) { return WARPWRIGHT_APPROXIMATE(ex2_approx)(x); }
WARPWRIGHT_DEVICE float __expf(float x) { return __warpwright_exp2_approx(x * 0x1.715476p+0f); }
WARPWRIGHT_DEVICE float __exp10f(float x) { return __warpwright_exp2_approx(x * 0x1.a934f0p+1f); }
WARPWRIGHT_DEVICE float __powf(float x, float y) { return __warpwright_exp2_approx(y * __log2f(x)); }
#undef WARPWRIGHT_APPROXIMATE
