// Exclusive prefix sums in device memory: blocks sum their pieces, the totals of the pieces are summed in turn, and added. For
// programs of one source file, as kernels in a header are.
#pragma once

#include "device.hpp"

namespace workloads {

constexpr int kPrefixThreads = 256;

// Each block leaves the sums within its piece, and the piece's total (Hillis and Steele 1986).
__global__ void prefixBlocks(int* values, int* totals, int count) {
  __shared__ int sums[kPrefixThreads];
  const int thread = threadIdx.x, index = blockIdx.x * kPrefixThreads + thread;
  const int own = index < count ? values[index] : 0;
  int sum = own;
  sums[thread] = sum;
  __syncthreads();
  for (int distance = 1; distance < kPrefixThreads; distance *= 2) {
    const int before = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sum += before;
    sums[thread] = sum;
    __syncthreads();
  }
  if (index < count) values[index] = sum - own;
  if (thread == kPrefixThreads - 1) totals[blockIdx.x] = sum;
}

__global__ void prefixAdd(int* values, const int* totals, int count) {
  const int index = blockIdx.x * kPrefixThreads + threadIdx.x;
  if (index < count) values[index] += totals[blockIdx.x];
}

inline void prefixSums(const DeviceArray<int>& values) {
  const int count = int(values.size()), blocks = divideUp(count, kPrefixThreads);
  const DeviceArray<int> totals(blocks);
  prefixBlocks<<<blocks, kPrefixThreads>>>(values.data(), totals.data(), count);
  if (blocks == 1) return finishKernels();
  prefixSums(totals);
  prefixAdd<<<blocks, kPrefixThreads>>>(values.data(), totals.data(), count);
  finishKernels();
}

// Of an array that ends with one element more than there are summands: that element becomes the total.
inline int prefixSumsWithTotal(const DeviceArray<int>& values) {
  prefixSums(values);
  int total = 0;
  WORKLOAD_CHECK(cudaMemcpy(&total, values.data() + values.size() - 1, sizeof(int), cudaMemcpyDeviceToHost));
  return total;
}

}  // namespace workloads
