// A histogram whose bins lie in the shared memory of all blocks of a cluster, in clusters of 1, 2, 4 and 8 blocks.
// arch: 90
// run: --machine h100
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

constexpr int kBins = 256, kBlocks = 16, kThreads = 128, kValues = 20000;

__host__ __device__ inline unsigned valueOf(unsigned i) { return (i * 2654435761u >> 7) % kBins; }

__global__ void histogram(int* bins) {
  extern __shared__ int own[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int binsPerBlock = kBins / (int)cluster.num_blocks();
  for (int i = threadIdx.x; i < binsPerBlock; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < kValues; i += gridDim.x * blockDim.x) {
    const int bin = valueOf(i);
    int* const there = cluster.map_shared_rank(own, bin / binsPerBlock);
    atomicAdd(there + bin % binsPerBlock, 1);
  }
  cluster.sync();
  int* const mine = bins + cluster.block_rank() * binsPerBlock;
  for (int i = threadIdx.x; i < binsPerBlock; i += blockDim.x) atomicAdd(mine + i, own[i]);
}

int main() {
  std::vector<int> wanted(kBins);
  for (unsigned i = 0; i < kValues; ++i) ++wanted[valueOf(i)];
  for (int blocks = 1; blocks <= 8; blocks *= 2) {
    Buffer<int> bins(kBins);
    CUDA(cudaMemset(bins, 0, kBins * sizeof(int)));
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(kBlocks);
    config.blockDim = dim3(kThreads);
    config.dynamicSmemBytes = kBins / blocks * sizeof(int);
    config.attrs = &attribute;
    config.numAttrs = 1;
    CUDA(cudaLaunchKernelEx(&config, histogram, static_cast<int*>(bins)));
    check::same(bins.read(), wanted, "bins");
  }
  return check::finish();
}
