// Values go round the blocks of a cluster: with the cluster's barrier, and by asynchronous stores that an mbarrier object counts.
// arch: 90
// run: --machine h100
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 32, kCluster = 8, kBlocks = 16, kRounds = 11;

__global__ void withBarriers(unsigned* out) {
  __shared__ unsigned slots[2][kThreads];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % kCluster;
  slots[0][threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  for (unsigned round = 0; round < kRounds; ++round) {
    cluster.sync();
    cluster.map_shared_rank(&slots[0][0], next)[(round + 1) % 2 * kThreads + threadIdx.x] = slots[round % 2][threadIdx.x] + 1;
  }
  cluster.sync();
  out[blockIdx.x * kThreads + threadIdx.x] = slots[kRounds % 2][threadIdx.x];
}

__device__ unsigned sharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__device__ unsigned inBlock(unsigned address, unsigned rank) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

// One round: each thread stores a pair of values for the next block and adds to a sum there.
__global__ void withMbarriers(unsigned* out) {
  __shared__ __align__(16) uint2 pairs[kThreads];
  __shared__ unsigned sum;
  __shared__ unsigned long long arrived;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % kCluster, object = sharedAddress(&arrived);
  if (threadIdx.x == 0) {
    sum = 0;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(object) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(object), "r"(kThreads * 12) : "memory");
  }
  cluster.sync();
  const unsigned pair = inBlock(sharedAddress(&pairs[threadIdx.x]), next), total = inBlock(sharedAddress(&sum), next);
  const unsigned counter = inBlock(object, next);
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];" ::"r"(pair),
               "r"(blockIdx.x * 1000 + threadIdx.x), "r"(threadIdx.x), "r"(counter)
               : "memory");
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(total),
               "r"(threadIdx.x + blockIdx.x), "r"(counter)
               : "memory");
  unsigned done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(object)
                 : "memory");
  out[blockIdx.x * kThreads + threadIdx.x] = pairs[threadIdx.x].x + 100000 * pairs[threadIdx.x].y + sum;
  cluster.sync();
}

template <typename Kernel>
void launch(Kernel kernel, unsigned* out) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {kCluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(kBlocks);
  config.blockDim = dim3(kThreads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, kernel, out));
}

// The block of the same cluster so many ranks before.
unsigned before(unsigned block, unsigned ranks) { return block / kCluster * kCluster + (block % kCluster + kCluster * 8 - ranks) % kCluster; }

int main() {
  Buffer<unsigned> out(kBlocks * kThreads);
  launch(withBarriers, out);
  check::same(out.read(), table(kBlocks * kThreads, [](size_t i) {
    const unsigned block = static_cast<unsigned>(i / kThreads), thread = static_cast<unsigned>(i % kThreads);
    return before(block, kRounds) * 1000 + thread + kRounds;
  }), "barriers");
  launch(withMbarriers, out);
  check::same(out.read(), table(kBlocks * kThreads, [](size_t i) {
    const unsigned thread = static_cast<unsigned>(i % kThreads), from = before(static_cast<unsigned>(i / kThreads), 1);
    return from * 1000 + thread + 100000 * thread + kThreads * (kThreads - 1) / 2 + kThreads * from;
  }), "asynchronous stores");
  return check::finish();
}
