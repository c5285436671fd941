// Occupancy where threads and shared memory are what limits it, so that the number of registers plays no part.
#include "check.hpp"

__global__ void small(int* out) { out[threadIdx.x] = 1; }

int main() {
  cudaDeviceProp properties{};
  CUDA(cudaGetDeviceProperties(&properties, 0));
  int blocks = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 1024, 0));
  check::that(blocks == properties.maxThreadsPerMultiProcessor / 1024, "threads limit blocks of 1024");
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 32, 0));
  check::that(blocks == properties.maxBlocksPerMultiProcessor, "the number of blocks limits blocks of 32");
  const size_t third = properties.sharedMemPerMultiprocessor / 3 & ~size_t{1023};
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 64, third - 2048));
  check::that(blocks == 3, "shared memory limits blocks that take a third");
  int grid = 0, block = 0;
  CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, small));
  check::that(block == 1024 && grid == properties.multiProcessorCount * (properties.maxThreadsPerMultiProcessor / 1024),
              "the best block fills the machine");
  size_t bytes = 0;
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, small, 2, 128));
  check::that(bytes > 0 && bytes <= properties.sharedMemPerMultiprocessor / 2, "what two blocks leave each other");
  Buffer<int> out(block);
  small<<<1, block>>>(out);
  check::same(out.read(), std::vector<int>(block, 1), "launched so");
  return check::finish();
}
