// Function pointers: a table of the device, one chosen by each thread, and one that the host read and passes back.
#include "check.hpp"

using Operation = int (*)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int power(int a, int b) {
  int result = 1;
  while (b-- > 0) result *= a;
  return result;
}

__device__ Operation operations[3] = {add, subtract, power};
__device__ Operation chosen = power;

__global__ void apply(int* out) { out[threadIdx.x] = operations[threadIdx.x % 3](threadIdx.x, 3); }
__global__ void applyOne(int* out, Operation operation) { out[threadIdx.x] = operation(threadIdx.x, 2); }

int main() {
  Buffer<int> out(96);
  apply<<<1, 96>>>(out);
  check::same(out.read(), table(96, [](size_t i) {
    const int x = static_cast<int>(i);
    return i % 3 == 0 ? x + 3 : i % 3 == 1 ? x - 3 : x * x * x;
  }), "each thread its own");
  Operation operation = nullptr;
  CUDA(cudaMemcpyFromSymbol(&operation, chosen, sizeof operation));
  applyOne<<<1, 96>>>(out, operation);
  check::same(out.read(), table(96, [](size_t i) { return static_cast<int>(i * i); }), "handed over by the host");
  return check::finish();
}
