// An illegal access ends the context: every later call reports it.
// stderr: store|write
#include "check.hpp"

__global__ void store(int* data) { data[threadIdx.x] = 1; }

int main() {
  int* data = nullptr;
  CUDA(cudaMalloc(&data, 128));
  store<<<1, 32>>>(data);
  check::code(cudaDeviceSynchronize(), cudaSuccess, "inside the allocation");
  store<<<1, 32>>>(reinterpret_cast<int*>(0x7f0000001000));
  check::code(cudaDeviceSynchronize(), cudaErrorIllegalAddress, "no allocation there");
  check::code(cudaGetLastError(), cudaErrorIllegalAddress, "last error");
  check::code(cudaGetLastError(), cudaErrorIllegalAddress, "still");
  int host = 0;
  check::code(cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress, "copy");
  check::code(cudaMalloc(&data, 4), cudaErrorIllegalAddress, "allocation");
  store<<<1, 32>>>(data);
  check::code(cudaGetLastError(), cudaErrorIllegalAddress, "launch");
  return check::failures == 0 ? 0 : 1;
}
