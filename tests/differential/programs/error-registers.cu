// A kernel that holds more values at once than 1,024 threads have registers for: 65,536 a multiprocessor, 64 a thread.
// Without optimisation it needs fewer registers.
// levels: 1 2 3
#include "check.hpp"

constexpr int kValues = 128;

__global__ void reverse(volatile int* data) {
  int values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = data[i];
#pragma unroll
  for (int i = 0; i < kValues; ++i) data[i] = values[kValues - 1 - i];
}

int main() {
  std::vector<int> numbers(kValues), reversed(kValues);
  for (int i = 0; i < kValues; ++i) numbers[i] = reversed[kValues - 1 - i] = i;
  Buffer<int> data(numbers);
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, reverse));
  check::that(attributes.numRegs >= kValues, "as many registers as values");
  check::that(attributes.maxThreadsPerBlock < 1024, "fewer threads than the machine allows");
  reverse<<<1, 1024>>>(data);
  check::code(cudaGetLastError(), cudaErrorLaunchOutOfResources, "1,024 threads");
  reverse<<<1, 1>>>(data);
  check::code(cudaGetLastError(), cudaSuccess, "one thread");
  check::same(data.read(), reversed, "what it wrote");
  return check::finish();
}
