// The functions of clusters, in clusters of one block.
// arch: 90
#include "check.hpp"

constexpr unsigned kResults = 10;

__global__ void compute(unsigned* out) {
  __shared__ unsigned cell;
  if (threadIdx.x == 0) cell = 40 + blockIdx.x;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  __threadfence_cluster();
  if (threadIdx.x != 0) return;
  unsigned* row = out + kResults * blockIdx.x;
  row[0] = __clusterDim().x + 10 * __clusterDim().y + 100 * __clusterDim().z;
  row[1] = __clusterRelativeBlockIdx().x;
  row[2] = __clusterGridDimInClusters().x;
  row[3] = __clusterIdx().x;
  row[4] = __clusterRelativeBlockRank();
  row[5] = __clusterSizeInBlocks();
  row[6] = __clusterDimIsSpecified();
  row[7] = *static_cast<unsigned*>(__cluster_map_shared_rank(&cell, 0));
  row[8] = __cluster_query_shared_rank(&cell);
  row[9] = __isShared(&cell);
}

int main() {
  Buffer<unsigned> out(4 * kResults);
  compute<<<4, 64>>>(out);
  check::same(out.read(), table(4 * kResults, [](size_t i) {
    const unsigned block = static_cast<unsigned>(i / kResults);
    const unsigned wanted[kResults] = {111, 0, 4, block, 0, 1, 0, 40 + block, 0, 1};
    return wanted[i % kResults];
  }), "functions");
  return check::finish();
}
