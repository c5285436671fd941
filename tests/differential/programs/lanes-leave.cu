// A loop with a barrier that the lanes of a warp leave, for good, after different numbers of rounds.
#include "check.hpp"

constexpr int kThreads = 96;

__host__ __device__ inline int rounds(int lane) { return lane * 7 % 6; }

// In each round a thread takes the value of the same lane one warp ahead, which stays for as many rounds.
__global__ void leave(int* out) {
  __shared__ int shared[2][kThreads];
  const int t = threadIdx.x;
  int value = t + 1;
  for (int round = 0;; ++round) {
    out[t] = value;
    if (round == rounds(t % 32)) return;
    shared[round % 2][t] = value;
    __syncthreads();
    value = 2 * value + shared[round % 2][(t + 32) % kThreads];
  }
}

int main() {
  int* out;
  CUDA(cudaMallocManaged(&out, kThreads * sizeof(int)));
  leave<<<1, kThreads>>>(out);
  CUDA(cudaDeviceSynchronize());
  std::vector<int> wanted(kThreads);
  for (int t = 0; t < kThreads; ++t) wanted[t] = t + 1;
  for (int round = 0; round < 6; ++round) {
    const std::vector<int> before = wanted;
    for (int t = 0; t < kThreads; ++t) {
      if (round < rounds(t % 32)) wanted[t] = 2 * before[t] + before[(t + 32) % kThreads];
    }
  }
  check::same(std::vector<int>(out, out + kThreads), wanted, "values when their threads left");
  return check::finish();
}
