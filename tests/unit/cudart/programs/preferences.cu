// Launches a kernel that uses global and shared memory once for each preference of its caches, and once more with that of the device.
#include <cstdio>

__global__ void touches(unsigned* words) {
  __shared__ unsigned ours[64];
  ours[threadIdx.x] = words[threadIdx.x];
  __syncthreads();
  words[threadIdx.x] = ours[threadIdx.x ^ 1] + 1;
}

int main() {
  unsigned* words = nullptr;
  cudaMalloc(&words, 64 * sizeof *words);
  cudaMemset(words, 0, 64 * sizeof *words);
  const cudaFuncCache configs[] = {cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual, cudaFuncCachePreferNone};
  for (const cudaFuncCache config : configs) {
    if (cudaFuncSetCacheConfig(touches, config) != cudaSuccess) return 1;
    touches<<<1, 64>>>(words);
  }
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  touches<<<1, 64>>>(words);
  unsigned first = 0;
  const cudaError_t status = cudaMemcpy(&first, words, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%s, %u\n", cudaGetErrorString(status), first);
  return status == cudaSuccess ? 0 : 1;
}
