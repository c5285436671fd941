// Clusters of one block: the special registers, the cluster's barrier, and addresses in the cluster's shared memory.
// arch: 90
#include "check.hpp"

__global__ void cluster(unsigned* out) {
  __shared__ unsigned cell;
  unsigned* row = out + 10 * blockIdx.x;
  if (threadIdx.x == 0) cell = 40 + blockIdx.x;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x != 0) return;
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(row[0]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(row[1]));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(row[2]));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(row[3]));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(row[4]));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(row[5]));
  asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(row[6]));
  const unsigned local = static_cast<unsigned>(__cvta_generic_to_shared(&cell));
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(mapped) : "r"(local));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(row[7]) : "r"(mapped));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(row[8]) : "r"(mapped));
}

int main() {
  Buffer<unsigned> out(40);
  cluster<<<4, 64>>>(out);
  check::same(out.read(), table(40, [](size_t i) {
    const unsigned block = static_cast<unsigned>(i / 10);
    const unsigned wanted[] = {0, 1, 0, 1, block, 4, 0, 40 + block, 0, 0};
    return wanted[i % 10];
  }), "registers");
  return check::finish();
}
