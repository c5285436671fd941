// Sums over the blocks of clusters of 2 x 2 blocks: each block adds up its own, the first of the cluster what the others have.
// arch: 90
// run: --machine h100
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 64;

__global__ void sum(const float* in, float* out, unsigned* places) {
  __shared__ float partial[kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  partial[threadIdx.x] = in[block * kThreads + threadIdx.x];
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  cluster.sync();
  if (cluster.thread_rank() == 0) {
    float all = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) all += *cluster.map_shared_rank(&partial[0], rank);
    out[__clusterIdx().y * __clusterGridDimInClusters().x + __clusterIdx().x] = all;
  }
  if (threadIdx.x == 0) {
    places[4 * block] = cluster.block_rank();
    places[4 * block + 1] = cluster.block_index().x + 10 * cluster.block_index().y;
    places[4 * block + 2] = cluster.query_shared_rank(cluster.map_shared_rank(&partial[0], 3 - cluster.block_rank()));
    places[4 * block + 3] = cluster.dim_threads().x + 1000 * cluster.num_threads();
  }
  cluster.sync();
}

int main() {
  constexpr unsigned kWidth = 6, kHeight = 4, kBlocks = kWidth * kHeight;
  const auto valueAt = [](size_t i) { return static_cast<float>(i % 97); };
  Buffer<float> in(table(kBlocks * kThreads, valueAt)), out(kBlocks / 4);
  Buffer<unsigned> places(4 * kBlocks);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 2, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(kWidth, kHeight);
  config.blockDim = dim3(kThreads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, sum, static_cast<const float*>(in), static_cast<float*>(out), static_cast<unsigned*>(places)));
  check::same(out.read(), table(kBlocks / 4, [&](size_t cluster) {
    float all = 0;
    for (unsigned rank = 0; rank < 4; ++rank) {
      const size_t x = cluster % (kWidth / 2) * 2 + rank % 2, y = cluster / (kWidth / 2) * 2 + rank / 2;
      for (unsigned thread = 0; thread < kThreads; ++thread) all += valueAt((y * kWidth + x) * kThreads + thread);
    }
    return all;
  }), "sums");
  check::same(places.read(), table(4 * kBlocks, [&](size_t i) {
    const unsigned x = static_cast<unsigned>(i / 4 % kWidth), y = static_cast<unsigned>(i / 4 / kWidth), rank = x % 2 + 2 * (y % 2);
    const unsigned wanted[] = {rank, x % 2 + 10 * (y % 2), 3 - rank, 2 * kThreads + 1000 * 4 * kThreads};
    return wanted[i % 4];
  }), "places");
  return check::finish();
}
