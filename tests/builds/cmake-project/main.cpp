#include <cuda_runtime.h>

#include <cstdio>

void fillSquares(int* values, int count);
void scale(int* values, int count, int factor);

int main() {
  int values[8];
  int* device = nullptr;
  cudaMalloc(&device, sizeof values);
  fillSquares(device, 8);
  scale(device, 8, 2);
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  for (const int value : values) std::printf("%d ", value);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
