// atomicCAS of 16, 32 and 64 bits: operations made of it, and what a failed one returns.
#include "check.hpp"

template <typename T>
__device__ T atomicMultiplyAdd(T* cell, T factor, T addend) {
  T seen = *static_cast<volatile T*>(cell), before;
  do {
    before = seen;
    seen = atomicCAS(cell, before, static_cast<T>(before * factor + addend));
  } while (seen != before);
  return before;
}

__global__ void run(unsigned short* narrow, unsigned* word, unsigned long long* wide, int* results) {
  atomicMultiplyAdd<unsigned short>(narrow + threadIdx.x % 2, 1, 3);
  atomicMultiplyAdd<unsigned>(word, 3, 0);
  atomicMultiplyAdd<unsigned long long>(wide, 1, 1ull << 33);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    results[0] = atomicCAS(results + 4, 5, 6);
    results[1] = atomicCAS(results + 4, 0, 7);
    results[2] = atomicCAS(results + 4, 0, 8);
    results[3] = results[4];
  }
}

int main() {
  Buffer<unsigned short> narrow(2);
  Buffer<unsigned> word(std::vector<unsigned>{1});
  Buffer<unsigned long long> wide(1);
  Buffer<int> results(5);
  run<<<2, 64>>>(narrow, word, wide, results);
  unsigned power = 1;
  for (int i = 0; i < 128; ++i) power *= 3;
  check::same(narrow.read(), {192, 192}, "16 bits");
  check::same(word.read(), {power}, "32 bits");
  check::same(wide.read(), {128ull << 33}, "64 bits");
  Buffer<int> single(5);
  run<<<1, 1>>>(narrow, word, wide, single);
  check::same(single.read(), {0, 0, 7, 7, 7}, "returned values");
  return check::finish();
}
