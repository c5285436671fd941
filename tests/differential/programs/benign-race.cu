// Warps of a block that all do the same work on the same elements, without order among them: on a GPU they run side by side, read the same old
// values and write the same sums.
// checked: race in global memory
#include "check.hpp"

constexpr int kSums = 32, kAddends = 64;

__global__ void sums(float* sum, const float* addends) {
  const int i = blockIdx.x * kSums + threadIdx.x;
  for (int k = 0; k < kAddends; ++k) sum[i] += addends[i * kAddends + k];
}

// After a barrier too.
__global__ void twice(float* sum) {
  sum[threadIdx.x] += 1;
  __syncthreads();
  sum[threadIdx.x] += 1;
}

int main() {
  constexpr int kBlocks = 3;
  float *sum, *addends;
  CUDA(cudaMallocManaged(&sum, kBlocks * kSums * sizeof(float)));
  CUDA(cudaMallocManaged(&addends, kBlocks * kSums * kAddends * sizeof(float)));
  for (int i = 0; i < kBlocks * kSums; ++i) sum[i] = 0;
  for (int i = 0; i < kBlocks * kSums * kAddends; ++i) addends[i] = 1;
  sums<<<kBlocks, dim3(kSums, 8)>>>(sum, addends);
  CUDA(cudaDeviceSynchronize());
  check::same(std::vector<float>(sum, sum + kBlocks * kSums), std::vector<float>(kBlocks * kSums, kAddends), "sums by eight warps each");
  twice<<<1, dim3(kSums, 8)>>>(sum);
  CUDA(cudaDeviceSynchronize());
  check::same(std::vector<float>(sum, sum + kSums), std::vector<float>(kSums, kAddends + 2), "on both sides of a barrier");
  return check::finish();
}
