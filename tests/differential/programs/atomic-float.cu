// Atomic additions and exchanges of float and double; sums of small integers, so that the order does not matter.
#include "check.hpp"

__global__ void add(float* single, double* number) {
  __shared__ float own;
  if (threadIdx.x == 0) own = 0;
  __syncthreads();
  atomicAdd(&own, 0.25f);
  atomicAdd(single + threadIdx.x % 4, static_cast<float>(threadIdx.x % 8));
  atomicAdd(number, 0.5);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(single + 4, own);
}

// Whoever comes takes the value of the one before: the values stay the same set.
__global__ void pass(float* cell, float* got) { got[threadIdx.x] = atomicExch(cell, static_cast<float>(threadIdx.x)); }

int main() {
  Buffer<float> single(5);
  Buffer<double> number(1);
  add<<<8, 128>>>(single, number);
  check::same(single.read(), {256 * 2, 256 * 3, 256 * 4, 256 * 5, 256}, "float");
  check::same(number.read(), {512}, "double");
  Buffer<float> cell(std::vector<float>{1000}), got(96);
  pass<<<1, 96>>>(cell, got);
  std::vector<int> seen(1001), wanted(1001);
  for (const float value : got.read()) ++seen[static_cast<int>(value)];
  ++seen[static_cast<int>(cell.read()[0])];
  for (int i = 0; i < 96; ++i) wanted[i] = 1;
  wanted[1000] = 1;
  check::same(seen, wanted, "exchanged");
  return check::finish();
}
