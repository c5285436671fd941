// Functions that later releases of CUDA dropped, and how kernels were launched before CUDA 7: a configuration, one call an argument, the
// launch.
#pragma once

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t sharedBytes WARPWRIGHT_DEFAULT(0), cudaStream_t stream WARPWRIGHT_DEFAULT(0));
// `offset`: of the argument in the kernel's parameters, in bytes.
cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset);
cudaError_t cudaLaunch(const void* kernel);
cudaError_t cudaSetDoubleForDevice(double* value);
cudaError_t cudaSetDoubleForHost(double* value);

cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaChooseDevice_v2(int* device, const struct cudaDeviceProp* properties);
cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && !defined(WARPWRIGHT_API_WITHOUT_OVERLOADS)
template <typename Argument>
cudaError_t cudaSetupArgument(Argument argument, size_t offset) {
  return cudaSetupArgument(static_cast<const void*>(&argument), sizeof argument, offset);
}
template <typename Function>
cudaError_t cudaLaunch(Function* kernel) {
  return cudaLaunch(reinterpret_cast<const void*>(kernel));
}
#endif
