// The one header of a CUDA C++ program: host API, built-in variables and types, and all device functions.
// warpwright-cc includes it before the first line of every CUDA source.
#pragma once
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__cplusplus)

// Order matters. The device overloads of sin, abs … must be declared before the host's <cmath>, so that the constexpr functions
// there, which clang makes callable from the device, find them.
#include <__clang_cuda_math_forward_declares.h>

#ifndef __CUDACC__
#define __CUDACC__
#endif
// The release that the headers speak of; a program may name another with -DCUDA_VERSION=N.
#ifndef CUDA_VERSION
#define CUDA_VERSION 11050
#endif
#define CUDART_VERSION CUDA_VERSION

#include "host_defines.h"
#include "warpwright/device/define.h"
#include "warpwright/device/libc.h"

#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "vector_functions.h"
#include "vector_types.h"
#include "warpwright/device/builtins.h"

#include "driver_types.h"

#include "cuda_device_runtime_api.h"
#include "cuda_runtime_api.h"

#include "warpwright/device/atomics.h"
#include "warpwright/device/conversions.h"
#include "warpwright/device/integer.h"
#include "warpwright/device/memory.h"
#include "warpwright/device/packed.h"
#include "warpwright/device/dynamic_programming.h"
#include "warpwright/device/rounding.h"
// After rounding.h, whose approximations -use_fast_math needs.
#include "warpwright/device/math_api.h"
#include "warpwright/device/sync.h"
#include "warpwright/device/cluster.h"
#include "warpwright/device/warp.h"
#include "texture_fetch_functions.h"
#include "texture_indirect_functions.h"
#include "surface_functions.h"
#include "warpwright/managed.h"
// Needs the device functions above; gives std:: and the overloads for integers.
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device, nodebug))
#include <__clang_cuda_cmath.h>
#pragma pop_macro("__device__")

#include "warpwright/device/minmax.h"

#include <new>

extern "C" unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                    struct CUstream_st* stream = nullptr);

#else

#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"

#include "driver_types.h"

#include "cuda_runtime_api.h"

#endif
