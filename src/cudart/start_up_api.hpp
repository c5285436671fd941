// Functions that compilers call from the code they add to a program; no header of the API declares them.
#pragma once

#include "cuda_runtime_api.h"

extern "C" {
#pragma GCC visibility push(default)

// The handle of a kernel, for its stub.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes, cudaStream_t stream);

#pragma GCC visibility pop
}  // extern "C"
