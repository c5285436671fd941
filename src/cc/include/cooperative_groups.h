// Cooperative groups: the block, tiles of a warp, coalesced threads, and the grid.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDA__

namespace cooperative_groups {

#define WARPWRIGHT_GROUP __attribute__((device, nodebug)) inline

namespace details {

WARPWRIGHT_GROUP unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
WARPWRIGHT_GROUP unsigned lanesBelow() { return __nvvm_read_ptx_sreg_lanemask_lt(); }

WARPWRIGHT_GROUP unsigned blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }
WARPWRIGHT_GROUP unsigned threadInBlock() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
WARPWRIGHT_GROUP unsigned long long gridBlocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
WARPWRIGHT_GROUP unsigned long long blockInGrid() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

// What a cooperative launch leaves for the grid, its address in %envreg1 (high half) and %envreg2: {size, barrier}.
struct GridWorkspace {
  unsigned size;
  unsigned barrier;
};

WARPWRIGHT_GROUP GridWorkspace* gridWorkspace() {
  unsigned high, low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  return (GridWorkspace*)(size_t)((unsigned long long)high << 32 | low);
}

// A barrier of all blocks. Each arrival adds 1, the first block's so much that the sum of one round is 2^31: the top bit flips when
// the last has come, and the counter needs no reset.
WARPWRIGHT_GROUP void gridBarrier() {
  GridWorkspace* workspace = gridWorkspace();
  if (workspace == nullptr) __trap();
  __syncthreads();
  if (threadInBlock() == 0) {
    unsigned expected = (unsigned)gridBlocks();
    unsigned arrival = blockInGrid() == 0 ? 0x80000000u - (expected - 1) : 1u;
    __threadfence();
    unsigned before = atomicAdd(&workspace->barrier, arrival);
    while (((before ^ *(volatile unsigned*)&workspace->barrier) & 0x80000000u) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

}  // namespace details

class thread_block {
 public:
  WARPWRIGHT_GROUP static void sync() { __syncthreads(); }
  WARPWRIGHT_GROUP static unsigned size() { return details::blockThreads(); }
  WARPWRIGHT_GROUP static unsigned num_threads() { return size(); }
  WARPWRIGHT_GROUP static unsigned thread_rank() { return details::threadInBlock(); }
  WARPWRIGHT_GROUP static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  WARPWRIGHT_GROUP static dim3 dim_threads() { return group_dim(); }
  WARPWRIGHT_GROUP static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WARPWRIGHT_GROUP static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
};
WARPWRIGHT_GROUP thread_block this_thread_block() { return thread_block(); }

class grid_group {
 public:
  WARPWRIGHT_GROUP static bool is_valid() { return details::gridWorkspace() != nullptr; }
  WARPWRIGHT_GROUP static void sync() { details::gridBarrier(); }
  WARPWRIGHT_GROUP static unsigned long long size() { return details::gridBlocks() * details::blockThreads(); }
  WARPWRIGHT_GROUP static unsigned long long num_threads() { return size(); }
  WARPWRIGHT_GROUP static unsigned long long num_blocks() { return details::gridBlocks(); }
  WARPWRIGHT_GROUP static unsigned long long block_rank() { return details::blockInGrid(); }
  WARPWRIGHT_GROUP static unsigned long long thread_rank() {
    return details::blockInGrid() * details::blockThreads() + details::threadInBlock();
  }
  WARPWRIGHT_GROUP static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  WARPWRIGHT_GROUP static dim3 dim_blocks() { return group_dim(); }
  WARPWRIGHT_GROUP static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
WARPWRIGHT_GROUP grid_group this_grid() { return grid_group(); }

// Some lanes of one warp, ranked by lane.
class coalesced_group {
 public:
  WARPWRIGHT_GROUP explicit coalesced_group(unsigned mask) : mask_(mask) {}
  WARPWRIGHT_GROUP void sync() const { __syncwarp(mask_); }
  WARPWRIGHT_GROUP unsigned size() const { return __popc(mask_); }
  WARPWRIGHT_GROUP unsigned num_threads() const { return size(); }
  WARPWRIGHT_GROUP unsigned thread_rank() const { return __popc(mask_ & details::lanesBelow()); }
  WARPWRIGHT_GROUP unsigned meta_group_size() const { return 1; }
  WARPWRIGHT_GROUP unsigned meta_group_rank() const { return 0; }

  template <typename T>
  WARPWRIGHT_GROUP T shfl(T value, unsigned rank) const {
    return __shfl_sync(mask_, value, laneOf(rank));
  }
  // Beyond the group's ends a thread keeps its own value.
  template <typename T>
  WARPWRIGHT_GROUP T shfl_down(T value, unsigned delta) const {
    unsigned rank = thread_rank() + delta;
    return __shfl_sync(mask_, value, rank < size() ? laneOf(rank) : (int)details::lane());
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_up(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, rank >= delta ? laneOf(rank - delta) : (int)details::lane());
  }
  WARPWRIGHT_GROUP int any(int predicate) const { return __ballot_sync(mask_, predicate) != 0; }
  WARPWRIGHT_GROUP int all(int predicate) const { return __ballot_sync(mask_, predicate) == mask_; }
  // One bit a rank.
  WARPWRIGHT_GROUP unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_all(T value, int& predicate) const {
    return packed(__match_all_sync(mask_, value, &predicate));
  }

 private:
  WARPWRIGHT_GROUP int laneOf(unsigned rank) const { return (int)__fns(mask_, 0, (int)rank + 1); }
  WARPWRIGHT_GROUP unsigned packed(unsigned lanes) const {
    unsigned result = 0;
    unsigned rank = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      result |= (lanes >> (__ffs((int)rest) - 1) & 1u) << rank;
    }
    return result;
  }

  unsigned mask_;
};
WARPWRIGHT_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// A tile of Size threads with consecutive ranks: part of a warp, so Size is a power of two up to 32.
template <unsigned Size, typename Parent = thread_block>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  WARPWRIGHT_GROUP void sync() const { __syncwarp(mask()); }
  WARPWRIGHT_GROUP static constexpr unsigned size() { return Size; }
  WARPWRIGHT_GROUP static constexpr unsigned num_threads() { return Size; }
  WARPWRIGHT_GROUP static unsigned thread_rank() { return details::threadInBlock() & (Size - 1); }
  WARPWRIGHT_GROUP static unsigned meta_group_size() { return (details::blockThreads() + Size - 1) / Size; }
  WARPWRIGHT_GROUP static unsigned meta_group_rank() { return details::threadInBlock() / Size; }

  template <typename T>
  WARPWRIGHT_GROUP T shfl(T value, int rank) const {
    return __shfl_sync(mask(), value, rank, Size);
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(mask(), value, delta, Size);
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(mask(), value, delta, Size);
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_xor(T value, int pattern) const {
    return __shfl_xor_sync(mask(), value, pattern, Size);
  }
  WARPWRIGHT_GROUP int any(int predicate) const { return __any_sync(mask(), predicate); }
  WARPWRIGHT_GROUP int all(int predicate) const { return __all_sync(mask(), predicate); }
  WARPWRIGHT_GROUP unsigned ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> firstLane(); }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_any(T value) const {
    return __match_any_sync(mask(), value) >> firstLane();
  }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_all(T value, int& predicate) const {
    return __match_all_sync(mask(), value, &predicate) >> firstLane();
  }

 private:
  WARPWRIGHT_GROUP static unsigned firstLane() { return details::lane() & ~(Size - 1); }
  WARPWRIGHT_GROUP static unsigned mask() { return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << firstLane(); }
};

template <unsigned Size, typename Parent>
WARPWRIGHT_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

// Tiles of a size known only at run time are coalesced groups.
template <typename Parent>
WARPWRIGHT_GROUP coalesced_group tiled_partition(const Parent&, unsigned size) {
  unsigned first = details::lane() & ~(size - 1);
  unsigned mask = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << first;
  return coalesced_group(mask & __activemask());
}

// The lanes of `group` that agree on the predicate, or on a label.
template <typename Group>
WARPWRIGHT_GROUP coalesced_group binary_partition(const Group&, bool predicate) {
  unsigned active = __activemask();
  unsigned yes = __ballot_sync(active, predicate);
  return coalesced_group(predicate ? yes : active & ~yes);
}
template <typename Group>
WARPWRIGHT_GROUP coalesced_group labeled_partition(const Group&, int label) {
  return coalesced_group(__match_any_sync(__activemask(), label));
}

template <typename Group>
WARPWRIGHT_GROUP void sync(const Group& group) {
  group.sync();
}
template <typename Group>
WARPWRIGHT_GROUP unsigned thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group>
WARPWRIGHT_GROUP unsigned group_size(const Group& group) {
  return group.size();
}

template <typename T = void>
struct plus {
  template <typename U>
  WARPWRIGHT_GROUP U operator()(U a, U b) const {
    return a + b;
  }
};
template <typename T = void>
struct less {
  template <typename U>
  WARPWRIGHT_GROUP U operator()(U a, U b) const {
    return b < a ? b : a;
  }
};
template <typename T = void>
struct greater {
  template <typename U>
  WARPWRIGHT_GROUP U operator()(U a, U b) const {
    return a < b ? b : a;
  }
};
template <typename T = void>
struct bit_and {
  template <typename U>
  WARPWRIGHT_GROUP U operator()(U a, U b) const {
    return a & b;
  }
};
template <typename T = void>
struct bit_or {
  template <typename U>
  WARPWRIGHT_GROUP U operator()(U a, U b) const {
    return a | b;
  }
};
template <typename T = void>
struct bit_xor {
  template <typename U>
  WARPWRIGHT_GROUP U operator()(U a, U b) const {
    return a ^ b;
  }
};

// Every thread of the tile gets the result.
template <unsigned Size, typename Parent, typename T, typename Operation>
WARPWRIGHT_GROUP T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  for (unsigned distance = Size / 2; distance > 0; distance /= 2) value = operation(value, tile.shfl_xor(value, (int)distance));
  return value;
}

// In rank order, so that the size need not be a power of two.
template <typename T, typename Operation>
WARPWRIGHT_GROUP T reduce(const coalesced_group& group, T value, Operation operation) {
  T result = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) result = operation(result, group.shfl(value, rank));
  return result;
}

template <typename Group, typename T, typename Operation>
WARPWRIGHT_GROUP T inclusive_scan(const Group& group, T value, Operation operation) {
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    T other = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance) value = operation(other, value);
  }
  return value;
}
template <typename Group, typename T>
WARPWRIGHT_GROUP T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Operation>
WARPWRIGHT_GROUP T exclusive_scan(const Group& group, T value, Operation operation) {
  T inclusive = inclusive_scan(group, value, operation);
  T before = group.shfl_up(inclusive, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T>
WARPWRIGHT_GROUP T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

#undef WARPWRIGHT_GROUP
}  // namespace cooperative_groups

#endif
