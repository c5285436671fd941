// Thread block clusters (sm_90).
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define WARPWRIGHT_CLUSTER_DIM(name, ptx)                     \
  WARPWRIGHT_DEVICE dim3 name() {                             \
    dim3 value;                                               \
    asm volatile("mov.u32 %0, %%" ptx ".x;" : "=r"(value.x)); \
    asm volatile("mov.u32 %0, %%" ptx ".y;" : "=r"(value.y)); \
    asm volatile("mov.u32 %0, %%" ptx ".z;" : "=r"(value.z)); \
    return value;                                             \
  }
#define WARPWRIGHT_CLUSTER_NUMBER(name, ptx)              \
  WARPWRIGHT_DEVICE unsigned name() {                     \
    unsigned value;                                       \
    asm volatile("mov.u32 %0, %%" ptx ";" : "=r"(value)); \
    return value;                                         \
  }
WARPWRIGHT_CLUSTER_DIM(__clusterDim, "cluster_nctaid")
WARPWRIGHT_CLUSTER_DIM(__clusterRelativeBlockIdx, "cluster_ctaid")
WARPWRIGHT_CLUSTER_DIM(__clusterGridDimInClusters, "nclusterid")
WARPWRIGHT_CLUSTER_DIM(__clusterIdx, "clusterid")
WARPWRIGHT_CLUSTER_NUMBER(__clusterRelativeBlockRank, "cluster_ctarank")
WARPWRIGHT_CLUSTER_NUMBER(__clusterSizeInBlocks, "cluster_nctarank")
#undef WARPWRIGHT_CLUSTER_DIM
#undef WARPWRIGHT_CLUSTER_NUMBER

WARPWRIGHT_DEVICE unsigned __clusterDimIsSpecified() {
  unsigned value;
  asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(value));
  return value;
}

WARPWRIGHT_DEVICE __attribute__((convergent)) void __cluster_barrier_arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
WARPWRIGHT_DEVICE __attribute__((convergent)) void __cluster_barrier_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed;"); }
WARPWRIGHT_DEVICE __attribute__((convergent)) void __cluster_barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
WARPWRIGHT_DEVICE void __threadfence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }

// An address in the shared memory of the cluster's block of that rank, and the rank of an address's block.
WARPWRIGHT_DEVICE void* __cluster_map_shared_rank(const void* address, unsigned rank) {
  size_t mapped;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"((size_t)address), "r"(rank));
  return (void*)mapped;
}
WARPWRIGHT_DEVICE unsigned __cluster_query_shared_rank(const void* address) {
  unsigned rank;
  asm volatile("getctarank.u64 %0, %1;" : "=r"(rank) : "l"((size_t)address));
  return rank;
}

#endif
