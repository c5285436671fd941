// Lanes that part and meet again: nested branches, loops of different length, early exits, a switch, and locks.
#include "check.hpp"

__host__ __device__ inline int walk(int value) {
  int steps = 0;
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    if (++steps > 200) return -1;
    if (steps % 7 == 3 && value % 5 == 0) continue;
    switch (value % 4) {
      case 0: steps += 2; break;
      case 1: steps ^= 1; [[fallthrough]];
      case 2: ++steps; break;
      default: if (value > 1000) steps += 3;
    }
  }
  return steps;
}

__global__ void paths(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 11 == 10) return;
  out[i] = walk(i + 1);
  __syncwarp();
}

// Every lane of a warp takes the lock: only a machine that lets each lane advance gets through.
__global__ void locked(int* lock, int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  Buffer<int> out(512);
  paths<<<4, 128>>>(out);
  check::same(out.read(), table(512, [](size_t i) { return i % 11 == 10 ? 0 : walk(static_cast<int>(i) + 1); }), "paths");
  Buffer<int> lock(1), counter(1);
  locked<<<2, 64>>>(lock, counter);
  check::same(counter.read(), {128}, "locked");
  return check::finish();
}
