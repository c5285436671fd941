// threadIdx, blockIdx, blockDim, gridDim and warpSize: clang's variables, convertible to the vector types.
#pragma once

#include <__clang_cuda_builtin_vars.h>

#define WARPWRIGHT_BUILTIN_CONVERSIONS(type)                                         \
  __device__ inline type::operator dim3() const { return dim3(x, y, z); }            \
  __device__ inline type::operator uint3() const { return uint3{x, y, z}; }

WARPWRIGHT_BUILTIN_CONVERSIONS(__cuda_builtin_threadIdx_t)
WARPWRIGHT_BUILTIN_CONVERSIONS(__cuda_builtin_blockIdx_t)
WARPWRIGHT_BUILTIN_CONVERSIONS(__cuda_builtin_blockDim_t)
WARPWRIGHT_BUILTIN_CONVERSIONS(__cuda_builtin_gridDim_t)
#undef WARPWRIGHT_BUILTIN_CONVERSIONS
