#include <cuda_runtime.h>
#include <functions.h>

#include <cstdio>

int plainCalls();

template <typename Function>
__global__ void apply(int* values, Function function) {
  values[threadIdx.x] = function(threadIdx.x);
}

int main() {
  int values[8], count = 0;
  int* device = nullptr;
  cudaMalloc(&device, sizeof values);
  const int one = 1;
  apply<<<1, 8>>>(device, [=] __device__(int i) { return twice(i) + one; });
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  for (const int value : values) std::printf("%d ", value);
  std::printf("%d %d %s\n", count, plainCalls(), cudaGetErrorName(cudaGetLastError()));
  return 0;
}
