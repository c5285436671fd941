// The attributes of CUDA C++, in clang's spelling under CUDA compilation and empty elsewhere.
#pragma once
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__cplusplus)

// libstdc++ writes __attribute__((__noinline__)) in this header, which the macro below would break: read it first. From clang 15
// on the word is a keyword and needs no macro.
#if __clang_major__ < 15
#include <memory>
#define __noinline__ __attribute__((noinline))
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang has no managed variables for CUDA: the host's copy lies in a section of its own, whose address range the program reports
// to the runtime, which keeps both copies equal (see warpwright/managed.h).
#define __managed__ __attribute__((device)) __attribute__((section("warpwright_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#else

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)

#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __grid_constant__
#define __maxnreg__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
