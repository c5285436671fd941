// The cluster of blocks as a group (compute capability 9.0 and later).
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

namespace cooperative_groups {

class cluster_group {
 public:
  // What barrier_arrive() gives, for barrier_wait().
  class arrival_token {};

  WARPWRIGHT_GROUP static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return arrival_token();
  }
  WARPWRIGHT_GROUP static void barrier_wait() { __cluster_barrier_wait(); }
  WARPWRIGHT_GROUP static void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }
  WARPWRIGHT_GROUP static void sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }

  // The same place in the shared memory of the block with that rank, and the rank of the block that a place is in.
  template <typename T>
  WARPWRIGHT_GROUP static T* map_shared_rank(T* place, int rank) {
    return (T*)__cluster_map_shared_rank((const void*)place, (unsigned)rank);
  }
  WARPWRIGHT_GROUP static unsigned query_shared_rank(const void* place) { return __cluster_query_shared_rank(place); }

  WARPWRIGHT_GROUP static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  WARPWRIGHT_GROUP static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  WARPWRIGHT_GROUP static dim3 dim_blocks() { return __clusterDim(); }
  WARPWRIGHT_GROUP static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  WARPWRIGHT_GROUP static dim3 thread_index() {
    dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z);
  }
  WARPWRIGHT_GROUP static unsigned thread_rank() { return block_rank() * details::blockThreads() + details::threadInBlock(); }
  WARPWRIGHT_GROUP static dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  WARPWRIGHT_GROUP static unsigned num_threads() { return num_blocks() * details::blockThreads(); }
  WARPWRIGHT_GROUP static unsigned size() { return num_threads(); }
};
WARPWRIGHT_GROUP cluster_group this_cluster() { return cluster_group(); }

}  // namespace cooperative_groups

#endif
