// Complex numbers of CUDA's C interface, on host and device: cuFloatComplex, cuDoubleComplex and their functions.
#pragma once
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// `f` ends the names of the functions in single precision and is empty for those in double precision. The quotient and the magnitude are
// scaled, so that squares neither overflow nor vanish.
#define WARPWRIGHT_COMPLEX(Complex, Real, f, absolute, root)                                                                     \
  static __inline__ __host__ __device__ Real cuCreal##f(Complex z) { return z.x; }                                               \
  static __inline__ __host__ __device__ Real cuCimag##f(Complex z) { return z.y; }                                               \
  static __inline__ __host__ __device__ Complex make_##Complex(Real real, Real imaginary) {                                      \
    Complex z;                                                                                                                   \
    z.x = real;                                                                                                                  \
    z.y = imaginary;                                                                                                             \
    return z;                                                                                                                    \
  }                                                                                                                              \
  static __inline__ __host__ __device__ Complex cuConj##f(Complex z) { return make_##Complex(z.x, -z.y); }                       \
  static __inline__ __host__ __device__ Complex cuCadd##f(Complex a, Complex b) { return make_##Complex(a.x + b.x, a.y + b.y); } \
  static __inline__ __host__ __device__ Complex cuCsub##f(Complex a, Complex b) { return make_##Complex(a.x - b.x, a.y - b.y); } \
  static __inline__ __host__ __device__ Complex cuCmul##f(Complex a, Complex b) {                                                \
    return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                         \
  }                                                                                                                              \
  static __inline__ __host__ __device__ Complex cuCdiv##f(Complex a, Complex b) {                                                \
    Real scale = 1 / (absolute(b.x) + absolute(b.y));                                                                            \
    Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                                                 \
    Real inverse = 1 / (bx * bx + by * by);                                                                                      \
    return make_##Complex((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);                                         \
  }                                                                                                                              \
  static __inline__ __host__ __device__ Real cuCabs##f(Complex z) {                                                              \
    Real x = absolute(z.x), y = absolute(z.y);                                                                                   \
    Real large = x > y ? x : y, small = x > y ? y : x;                                                                           \
    if (large == 0 || isinf(large)) return large;                                                                                \
    Real ratio = small / large;                                                                                                  \
    return large * root(1 + ratio * ratio);                                                                                      \
  }                                                                                                                              \
  static __inline__ __host__ __device__ Complex cuCfma##f(Complex a, Complex b, Complex c) { return cuCadd##f(cuCmul##f(a, b), c); }

WARPWRIGHT_COMPLEX(cuFloatComplex, float, f, fabsf, sqrtf)
WARPWRIGHT_COMPLEX(cuDoubleComplex, double, , fabs, sqrt)
#undef WARPWRIGHT_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float real, float imaginary) { return make_cuFloatComplex(real, imaginary); }
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
