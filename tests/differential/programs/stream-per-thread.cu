// Each thread of the host has a default stream of its own.
// options: -default-stream per-thread -lpthread
#include <thread>

#include "check.hpp"

__global__ void fill(int* data, int value) { data[threadIdx.x] = value + threadIdx.x; }

int main() {
  std::vector<std::vector<int>> results(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &results] {
      Buffer<int> data(128);
      fill<<<1, 128>>>(data, 1000 * t);
      CUDA(cudaStreamSynchronize(cudaStreamPerThread));
      results[t] = data.read();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 4; ++t) check::same(results[t], table(128, [t](size_t i) { return static_cast<int>(1000 * t + i); }), "thread");
  return check::finish();
}
