// How kernels of the library are launched, and what they share.
#pragma once

#include "kernels.hpp"

namespace warpwright::cublas {

inline int blocksFor(long long elements, int threads, int most) {
  const long long blocks = (elements + threads - 1) / threads;
  return static_cast<int>(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

template <typename... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, cudaStream_t stream, Parameters... parameters) {
  void* arguments[] = {&parameters...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, 0, stream);
}

template <typename T>
__device__ T valueOf(const Scalar<T>& scalar) {
  return scalar.device ? *scalar.device : scalar.value;
}

__device__ inline long long firstElement() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline long long elementStride() { return static_cast<long long>(gridDim.x) * blockDim.x; }

}  // namespace warpwright::cublas
