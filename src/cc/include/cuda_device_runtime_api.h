// What kernels that launch kernels call. The simulated machine has no such launches; libraries name these functions in device code that
// they compile only for the host to parse, or leave unused, so they are declared and nothing more.
#pragma once

#include "cuda_runtime_api.h"

extern "C" __device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
extern "C" __device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned int sharedBytes,
                                                   cudaStream_t stream);
