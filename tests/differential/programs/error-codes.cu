// Wrong use of the runtime gives CUDA's own codes, and a later correct call does not.
#include "check.hpp"

int main() {
  Buffer<int> data(4);
  int host[4] = {1, 2, 3, 4};
  check::code(cudaMemcpy(data, host, 16, static_cast<cudaMemcpyKind>(17)), cudaErrorInvalidMemcpyDirection, "no such direction");
  check::code(cudaGetLastError(), cudaErrorInvalidMemcpyDirection, "the last error");
  check::code(cudaGetLastError(), cudaSuccess, "read once");
  check::code(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue, "to nowhere");
  check::code(cudaPeekAtLastError(), cudaErrorInvalidValue, "peek");
  check::code(cudaPeekAtLastError(), cudaErrorInvalidValue, "peek again");
  check::code(cudaMemcpy(data, host, 16, cudaMemcpyHostToDevice), cudaSuccess, "a correct call");
  check::code(cudaGetLastError(), cudaErrorInvalidValue, "does not clear it");
  check::code(cudaSetDevice(99), cudaErrorInvalidDevice, "no such device");
  void* address = nullptr;
  check::code(cudaMalloc(&address, ~size_t{0} >> 8), cudaErrorMemoryAllocation, "too much memory");
  check::code(cudaMalloc(nullptr, 16), cudaErrorInvalidValue, "nowhere to put the address");
  check::code(cudaFree(host), cudaErrorInvalidValue, "free the host's stack");
  int* freed = nullptr;
  CUDA(cudaMalloc(&freed, 16));
  CUDA(cudaFree(freed));
  check::code(cudaFree(freed), cudaErrorInvalidValue, "free twice");
  check::code(cudaMallocHost(nullptr, 16), cudaErrorInvalidValue, "nowhere to put host memory");
  cudaDeviceProp properties{};
  check::code(cudaGetDeviceProperties(&properties, -1), cudaErrorInvalidDevice, "device -1");
  cudaGetLastError();
  std::printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorInvalidValue));
  std::printf("%s: %s\n", cudaGetErrorName(cudaErrorMemoryAllocation), cudaGetErrorString(cudaErrorMemoryAllocation));
  std::printf("%s: %s\n", cudaGetErrorName(cudaSuccess), cudaGetErrorString(cudaSuccess));
  std::printf("%s\n", cudaGetErrorString(static_cast<cudaError_t>(12345)));
  return check::finish();
}
