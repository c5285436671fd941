// Compiled without -rdc, with names of its own that the relocatable files have too.
#include <cuda_runtime.h>

static __device__ int calls = 100;

static __global__ void count(int* result) { *result = atomicAdd(&calls, 1) + 1; }

int plainCalls() {
  int* device = nullptr;
  int result = 0;
  cudaMalloc(&device, sizeof result);
  count<<<1, 1>>>(device);
  cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost);
  return result;
}
