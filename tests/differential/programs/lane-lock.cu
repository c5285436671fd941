// Lanes of one warp that wait for each other, as they may from Volta on: locks, and flags that a lane sets behind the branch.
// levels: 0 1 2 3
#include "check.hpp"

__device__ void add(int* counter) {
  volatile int* const value = counter;
  *value = *value + 1;
}

// The winner's work is inside the loop.
__global__ void lockedInside(int* lock, int* counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    add(counter);
    __threadfence();
    atomicExch(lock, 0);
    done = true;
  }
}

// … and behind it.
__global__ void lockedBehind(int* lock, int* counter) {
  while (atomicExch(lock, 1) != 0) {
  }
  __threadfence();
  add(counter);
  __threadfence();
  atomicExch(lock, 0);
}

// Each lane waits for the turn that the lane before it gives it.
__global__ void inTurn(int* turn, int* order) {
  const int lane = threadIdx.x;
  while (atomicAdd(turn, 0) != lane) {
  }
  order[lane] = *static_cast<volatile int*>(order + 32);
  *static_cast<volatile int*>(order + 32) = order[lane] + lane;
  __threadfence();
  atomicAdd(turn, 1);
}

int main() {
  int* words;
  CUDA(cudaMallocManaged(&words, 64 * sizeof(int)));
  std::memset(words, 0, 64 * sizeof(int));
  lockedInside<<<2, 40>>>(words, words + 1);
  CUDA(cudaDeviceSynchronize());
  check::that(words[1] == 80, "work inside the loop");
  lockedBehind<<<2, 40>>>(words, words + 2);
  CUDA(cudaDeviceSynchronize());
  check::that(words[2] == 80, "work behind the loop");
  inTurn<<<1, 32>>>(words, words + 8);
  CUDA(cudaDeviceSynchronize());
  std::vector<int> wanted(32);
  for (int lane = 0; lane < 32; ++lane) wanted[lane] = lane * (lane - 1) / 2;
  check::same(std::vector<int>(words + 8, words + 40), wanted, "lanes in turn");
  return check::finish();
}
