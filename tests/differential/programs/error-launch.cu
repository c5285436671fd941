// Launches that no machine takes are refused at once and leave the device usable.
#include "check.hpp"

__global__ void mark(int* data) { data[threadIdx.x] = 7; }
__device__ int notAKernel;

int main() {
  Buffer<int> data(32);
  mark<<<0, 32>>>(data);
  check::code(cudaGetLastError(), cudaErrorInvalidConfiguration, "no blocks");
  mark<<<1, 0>>>(data);
  check::code(cudaGetLastError(), cudaErrorInvalidConfiguration, "no threads");
  mark<<<1, 2048>>>(data);
  check::code(cudaGetLastError(), cudaErrorInvalidConfiguration, "too many threads");
  mark<<<1, dim3(64, 64)>>>(data);
  check::code(cudaGetLastError(), cudaErrorInvalidConfiguration, "too many threads in two dimensions");
  mark<<<1, 32, 1 << 20>>>(data);
  check::code(cudaGetLastError(), cudaErrorInvalidValue, "too much shared memory");
  int local = 0;
  void* arguments[] = {&local};
  check::code(cudaLaunchKernel(&local, dim3(1), dim3(1), arguments, 0, nullptr), cudaErrorInvalidDeviceFunction, "no kernel");
  cudaGetLastError();
  check::same(data.read(), std::vector<int>(32, 0), "nothing ran");
  mark<<<1, 32>>>(data);
  check::same(data.read(), std::vector<int>(32, 7), "a correct launch");
  return check::finish();
}
