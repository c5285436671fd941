// __trap ends a kernel with a launch failure.
#include "check.hpp"

__global__ void refuse(int limit) {
  if (threadIdx.x >= limit) __trap();
}

int main() {
  refuse<<<1, 32>>>(32);
  check::code(cudaDeviceSynchronize(), cudaSuccess, "not reached");
  refuse<<<1, 64>>>(32);
  check::code(cudaDeviceSynchronize(), cudaErrorLaunchFailure, "reached");
  check::code(cudaDeviceSynchronize(), cudaErrorLaunchFailure, "for good");
  return check::failures == 0 ? 0 : 1;
}
