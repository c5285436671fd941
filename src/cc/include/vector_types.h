// The short vector types of CUDA, with its alignments, and dim3.
#pragma once
#define __VECTOR_TYPES_H__

#include <stddef.h>

#include "host_defines.h"

#define WARPWRIGHT_VECTOR_TYPES(name, scalar, align2, align4) \
  struct name##1 {                                            \
    scalar x;                                                 \
  };                                                          \
  struct __attribute__((aligned(align2))) name##2 {           \
    scalar x, y;                                              \
  };                                                          \
  struct name##3 {                                            \
    scalar x, y, z;                                           \
  };                                                          \
  struct __attribute__((aligned(align4))) name##4 {           \
    scalar x, y, z, w;                                        \
  };                                                          \
  typedef struct name##1 name##1;                             \
  typedef struct name##2 name##2;                             \
  typedef struct name##3 name##3;                             \
  typedef struct name##4 name##4;

WARPWRIGHT_VECTOR_TYPES(char, signed char, 2, 4)
WARPWRIGHT_VECTOR_TYPES(uchar, unsigned char, 2, 4)
WARPWRIGHT_VECTOR_TYPES(short, short, 4, 8)
WARPWRIGHT_VECTOR_TYPES(ushort, unsigned short, 4, 8)
WARPWRIGHT_VECTOR_TYPES(int, int, 8, 16)
WARPWRIGHT_VECTOR_TYPES(uint, unsigned int, 8, 16)
WARPWRIGHT_VECTOR_TYPES(long, long int, 2 * sizeof(long int), 16)
WARPWRIGHT_VECTOR_TYPES(ulong, unsigned long int, 2 * sizeof(long int), 16)
WARPWRIGHT_VECTOR_TYPES(longlong, long long int, 16, 16)
WARPWRIGHT_VECTOR_TYPES(ulonglong, unsigned long long int, 16, 16)
WARPWRIGHT_VECTOR_TYPES(float, float, 8, 16)
WARPWRIGHT_VECTOR_TYPES(double, double, 16, 16)
#undef WARPWRIGHT_VECTOR_TYPES

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
