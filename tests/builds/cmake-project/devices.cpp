#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  std::printf("%d device\n", count);
}
