// Cooperative groups: the block, tiles of it, coalesced threads, the cluster, the grid, and any but the cluster as thread_group.
#pragma once
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#ifdef __CUDA__

#define WARPWRIGHT_GROUP __attribute__((device, nodebug)) inline

#include "warpwright/groups/details.h"
#include "warpwright/groups/cluster_group.h"
#include "warpwright/groups/thread_group.h"
#include "warpwright/groups/large_tile.h"

namespace cooperative_groups {

class thread_block {
 public:
  // `words`: what tiles of more than a warp need.
  WARPWRIGHT_GROUP explicit thread_block(details::TileWords* words = nullptr) : words_(words) {}
  WARPWRIGHT_GROUP operator thread_group() const { return thread_group::ofBlock(); }
  WARPWRIGHT_GROUP details::TileWords* words() const { return words_; }
  WARPWRIGHT_GROUP static void sync() { __syncthreads(); }
  WARPWRIGHT_GROUP static unsigned size() { return details::blockThreads(); }
  WARPWRIGHT_GROUP static unsigned num_threads() { return size(); }
  WARPWRIGHT_GROUP static unsigned thread_rank() { return details::threadInBlock(); }
  WARPWRIGHT_GROUP static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  WARPWRIGHT_GROUP static dim3 dim_threads() { return group_dim(); }
  WARPWRIGHT_GROUP static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WARPWRIGHT_GROUP static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }

 private:
  details::TileWords* words_;
};
WARPWRIGHT_GROUP thread_block this_thread_block() { return thread_block(); }
// With shared memory for tiles of more than a warp; all threads of the block call it.
template <unsigned MaxBlockSize>
WARPWRIGHT_GROUP thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory) {
  unsigned rank = details::threadInBlock();
  if (rank % details::kWarpThreads == 0) memory.words[rank / details::kWarpThreads].arrived = 0;
  __syncthreads();
  return thread_block(memory.words);
}

class grid_group {
 public:
  WARPWRIGHT_GROUP operator thread_group() const { return thread_group::ofGrid(); }
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
  WARPWRIGHT_GROUP operator thread_group() const { return thread_group(mask_); }
  WARPWRIGHT_GROUP void sync() const { __syncwarp(mask_); }
  WARPWRIGHT_GROUP unsigned size() const { return __popc(mask_); }
  WARPWRIGHT_GROUP unsigned num_threads() const { return size(); }
  WARPWRIGHT_GROUP unsigned thread_rank() const { return __popc(mask_ & details::lanesBelow()); }
  WARPWRIGHT_GROUP unsigned meta_group_size() const { return 1; }
  WARPWRIGHT_GROUP unsigned meta_group_rank() const { return 0; }

  template <typename T>
  WARPWRIGHT_GROUP T shfl(WARPWRIGHT_MAYBE_UNDEFINED T value, unsigned rank) const {
    return from(value, laneOf(rank));
  }
  // Beyond the group's ends a thread keeps its own value.
  template <typename T>
  WARPWRIGHT_GROUP T shfl_down(WARPWRIGHT_MAYBE_UNDEFINED T value, unsigned delta) const {
    unsigned rank = thread_rank() + delta;
    return from(value, rank < size() ? laneOf(rank) : (int)details::lane());
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_up(WARPWRIGHT_MAYBE_UNDEFINED T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return from(value, rank >= delta ? laneOf(rank - delta) : (int)details::lane());
  }
  WARPWRIGHT_GROUP int any(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const { return __ballot_sync(mask_, predicate) != 0; }
  WARPWRIGHT_GROUP int all(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const { return __ballot_sync(mask_, predicate) == mask_; }
  // One bit a rank.
  WARPWRIGHT_GROUP unsigned ballot(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_any(WARPWRIGHT_MAYBE_UNDEFINED T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_all(WARPWRIGHT_MAYBE_UNDEFINED T value, int& predicate) const {
    return packed(__match_all_sync(mask_, value, &predicate));
  }

 private:
  template <typename T>
  WARPWRIGHT_GROUP T from(WARPWRIGHT_MAYBE_UNDEFINED T value, int lane) const {
    return details::moved(value, details::FromLane{mask_, lane, (int)details::kWarpThreads});
  }
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

// A tile of Size threads with consecutive ranks that is part of a warp.
template <unsigned Size, typename Parent>
class small_thread_block_tile {
  static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "a tile has a power of two of up to 1024 threads");

 public:
  WARPWRIGHT_GROUP explicit small_thread_block_tile(const Parent&) {}
  WARPWRIGHT_GROUP operator thread_group() const { return thread_group(mask()); }
  WARPWRIGHT_GROUP static details::TileWords* words() { return nullptr; }
  WARPWRIGHT_GROUP void sync() const { __syncwarp(mask()); }
  WARPWRIGHT_GROUP static constexpr unsigned size() { return Size; }
  WARPWRIGHT_GROUP static constexpr unsigned num_threads() { return Size; }
  WARPWRIGHT_GROUP static unsigned thread_rank() { return details::threadInBlock() & (Size - 1); }
  WARPWRIGHT_GROUP static unsigned meta_group_size() { return ((unsigned)Parent::size() + Size - 1) / Size; }
  WARPWRIGHT_GROUP static unsigned meta_group_rank() { return (unsigned)Parent::thread_rank() / Size; }

  template <typename T>
  WARPWRIGHT_GROUP T shfl(WARPWRIGHT_MAYBE_UNDEFINED T value, int rank) const {
    return details::moved(value, details::FromLane{mask(), rank, Size});
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_down(WARPWRIGHT_MAYBE_UNDEFINED T value, unsigned delta) const {
    return details::moved(value, details::FromAbove{mask(), (int)delta, Size});
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_up(WARPWRIGHT_MAYBE_UNDEFINED T value, unsigned delta) const {
    return details::moved(value, details::FromBelow{mask(), (int)delta, Size});
  }
  template <typename T>
  WARPWRIGHT_GROUP T shfl_xor(WARPWRIGHT_MAYBE_UNDEFINED T value, int pattern) const {
    return details::moved(value, details::FromPartner{mask(), pattern, Size});
  }
  WARPWRIGHT_GROUP int any(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const { return __any_sync(mask(), predicate); }
  WARPWRIGHT_GROUP int all(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const { return __all_sync(mask(), predicate); }
  WARPWRIGHT_GROUP unsigned ballot(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const {
    return __ballot_sync(mask(), predicate) >> firstLane();
  }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_any(WARPWRIGHT_MAYBE_UNDEFINED T value) const {
    return __match_any_sync(mask(), value) >> firstLane();
  }
  template <typename T>
  WARPWRIGHT_GROUP unsigned match_all(WARPWRIGHT_MAYBE_UNDEFINED T value, int& predicate) const {
    return __match_all_sync(mask(), value, &predicate) >> firstLane();
  }

 private:
  WARPWRIGHT_GROUP static unsigned firstLane() { return details::lane() & ~(Size - 1); }
  WARPWRIGHT_GROUP static unsigned mask() { return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << firstLane(); }
};

namespace details {
template <bool first, typename First, typename Second>
struct choice {
  typedef First type;
};
template <typename First, typename Second>
struct choice<false, First, Second> {
  typedef Second type;
};
template <unsigned Size, typename Parent>
using TileOf = typename choice<(Size > kWarpThreads), large_thread_block_tile<Size, Parent>, small_thread_block_tile<Size, Parent>>::type;
}  // namespace details

template <unsigned Size, typename Parent = thread_block>
class thread_block_tile : public details::TileOf<Size, Parent> {
 public:
  WARPWRIGHT_GROUP explicit thread_block_tile(const Parent& parent) : details::TileOf<Size, Parent>(parent) {}
};

template <unsigned Size, typename Parent>
WARPWRIGHT_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
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
WARPWRIGHT_GROUP T reduce(const small_thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
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

// Tiles of more than a warp: each warp for itself, then its result for the tile.
template <unsigned Size, typename Parent, typename T, typename Operation>
WARPWRIGHT_GROUP T reduce(const large_thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  T own = reduce(coalesced_group(details::lanesOfWarp()), value, operation);
  T result = tile.shfl(own, 0);
  for (unsigned first = details::kWarpThreads; first < tile.size(); first += details::kWarpThreads) {
    result = operation(result, tile.shfl(own, (int)first));
  }
  return result;
}
namespace details {

template <typename Group>
struct Scan {
  template <typename T, typename Operation>
  WARPWRIGHT_GROUP static T inclusive(const Group& group, T value, Operation operation) {
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
      T other = group.shfl_up(value, distance);
      if (group.thread_rank() >= distance) value = operation(other, value);
    }
    return value;
  }
  // The inclusive scan of the thread before this one.
  template <typename T>
  WARPWRIGHT_GROUP static T before(const Group& group, T inclusive) {
    return group.shfl_up(inclusive, 1);
  }
};

// Each warp for itself, then what the warps below it have found.
template <typename Group>
struct ScanOfLargeTile {
  template <typename T, typename Operation>
  WARPWRIGHT_GROUP static T inclusive(const Group& tile, T value, Operation operation) {
    T own = Scan<coalesced_group>::inclusive(coalesced_group(lanesOfWarp()), value, operation);
    T result = own;
    for (unsigned next = kWarpThreads; next < tile.size(); next += kWarpThreads) {
      T below = tile.shfl(result, (int)next - 1);
      if (tile.thread_rank() / kWarpThreads == next / kWarpThreads) result = operation(below, own);
    }
    return result;
  }
  template <typename T>
  WARPWRIGHT_GROUP static T before(const Group& tile, T inclusive) {
    T result = coalesced_group(lanesOfWarp()).shfl_up(inclusive, 1);
    for (unsigned next = kWarpThreads; next < tile.size(); next += kWarpThreads) {
      T below = tile.shfl(inclusive, (int)next - 1);
      if (tile.thread_rank() == next) result = below;
    }
    return result;
  }
};
template <unsigned Size, typename Parent>
struct Scan<thread_block_tile<Size, Parent>>
    : choice<(Size > 32), ScanOfLargeTile<thread_block_tile<Size, Parent>>, Scan<small_thread_block_tile<Size, Parent>>>::type {};

}  // namespace details

template <typename Group, typename T, typename Operation>
WARPWRIGHT_GROUP T inclusive_scan(const Group& group, T value, Operation operation) {
  return details::Scan<Group>::inclusive(group, value, operation);
}
template <typename Group, typename T>
WARPWRIGHT_GROUP T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Operation>
WARPWRIGHT_GROUP T exclusive_scan(const Group& group, T value, Operation operation) {
  T before = details::Scan<Group>::before(group, inclusive_scan(group, value, operation));
  return group.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T>
WARPWRIGHT_GROUP T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

#undef WARPWRIGHT_GROUP
}  // namespace cooperative_groups

#endif
