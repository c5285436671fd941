// A plain C++ file of a CUDA program.
#include <cuda_runtime.h>

int main() {
  float4 v = make_float4(1, 2, 3, 4);
  dim3 grid(1, 2);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : static_cast<int>(v.x) + grid.z;
}
