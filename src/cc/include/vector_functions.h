// make_int2(x, y) and its kin.
#pragma once
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define WARPWRIGHT_MAKE_VECTOR(name, scalar)                                                                    \
  static __inline__ __host__ __device__ struct name##1 make_##name##1(scalar x) {                               \
    struct name##1 v = {x};                                                                                     \
    return v;                                                                                                   \
  }                                                                                                             \
  static __inline__ __host__ __device__ struct name##2 make_##name##2(scalar x, scalar y) {                     \
    struct name##2 v = {x, y};                                                                                  \
    return v;                                                                                                   \
  }                                                                                                             \
  static __inline__ __host__ __device__ struct name##3 make_##name##3(scalar x, scalar y, scalar z) {           \
    struct name##3 v = {x, y, z};                                                                               \
    return v;                                                                                                   \
  }                                                                                                             \
  static __inline__ __host__ __device__ struct name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { \
    struct name##4 v = {x, y, z, w};                                                                            \
    return v;                                                                                                   \
  }

WARPWRIGHT_MAKE_VECTOR(char, signed char)
WARPWRIGHT_MAKE_VECTOR(uchar, unsigned char)
WARPWRIGHT_MAKE_VECTOR(short, short)
WARPWRIGHT_MAKE_VECTOR(ushort, unsigned short)
WARPWRIGHT_MAKE_VECTOR(int, int)
WARPWRIGHT_MAKE_VECTOR(uint, unsigned int)
WARPWRIGHT_MAKE_VECTOR(long, long int)
WARPWRIGHT_MAKE_VECTOR(ulong, unsigned long int)
WARPWRIGHT_MAKE_VECTOR(longlong, long long int)
WARPWRIGHT_MAKE_VECTOR(ulonglong, unsigned long long int)
WARPWRIGHT_MAKE_VECTOR(float, float)
WARPWRIGHT_MAKE_VECTOR(double, double)
#undef WARPWRIGHT_MAKE_VECTOR
