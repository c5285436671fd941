// clock(), clock64(), the global timer and __nanosleep: time goes forwards.
#include "check.hpp"

__device__ unsigned long long timer() {
  unsigned long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
  return value;
}

__global__ void measure(int* out) {
  const clock_t first = clock();
  const long long wide = clock64();
  const unsigned long long before = timer();
  int value = threadIdx.x;
  for (int i = 0; i < 1000; ++i) value = value * 1664525 + 1013904223;
  __nanosleep(1000);
  out[threadIdx.x] = value;
  const unsigned long long after = timer();
  out[32 + threadIdx.x] = clock64() > wide;
  out[64 + threadIdx.x] = clock() - first > 0;
  out[96 + threadIdx.x] = after >= before;
}

int main() {
  Buffer<int> out(128);
  measure<<<1, 32>>>(out);
  auto wanted = std::vector<int>(128, 1);
  for (unsigned i = 0; i < 32; ++i) {
    unsigned value = i;
    for (int k = 0; k < 1000; ++k) value = value * 1664525u + 1013904223u;
    wanted[i] = static_cast<int>(value);
  }
  check::same(out.read(), wanted, "values, and clocks that advance");
  return check::finish();
}
