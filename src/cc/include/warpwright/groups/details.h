// What cooperative groups are made of: places of threads, the barrier of a grid, shuffles of values of any size. Part of
// cooperative_groups.h.
#pragma once

namespace cooperative_groups {

namespace details {

constexpr unsigned kWarpThreads = 32;

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

// Arrives at a barrier of `expected` arrivals and waits for the others. Each arrival adds 1, the first one's so much that the sum of one
// round is 2^31: the top bit flips when the last has come, and the counter needs no reset.
WARPWRIGHT_GROUP void awaitAll(unsigned* counter, unsigned expected, bool first) {
  __threadfence();
  unsigned before = atomicAdd(counter, first ? 0x80000000u - (expected - 1) : 1u);
  while (((before ^ *(volatile unsigned*)counter) & 0x80000000u) == 0) {
  }
  __threadfence();
}

// A barrier of all blocks.
WARPWRIGHT_GROUP void gridBarrier() {
  GridWorkspace* workspace = gridWorkspace();
  if (workspace == nullptr) __trap();
  __syncthreads();
  if (threadInBlock() == 0) awaitAll(&workspace->barrier, (unsigned)gridBlocks(), blockInGrid() == 0);
  __syncthreads();
}

// A shuffle for values of any type that is copied by its bytes, a word at a time. `move` gives what a word of this lane's gets in exchange.
template <typename T, typename Move>
WARPWRIGHT_GROUP T moved(WARPWRIGHT_MAYBE_UNDEFINED T value, Move move) {
  static_assert(__is_trivially_copyable(T), "a shuffle moves values that are copied by their bytes");
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = move(word);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

#define WARPWRIGHT_MOVE(name, function)                                                                                                \
  struct name {                                                                                                                        \
    unsigned mask;                                                                                                                     \
    int lane;                                                                                                                          \
    int width;                                                                                                                         \
    WARPWRIGHT_GROUP unsigned operator()(WARPWRIGHT_MAYBE_UNDEFINED unsigned word) const { return function(mask, word, lane, width); } \
  };
WARPWRIGHT_MOVE(FromLane, __shfl_sync)
WARPWRIGHT_MOVE(FromBelow, __shfl_up_sync)
WARPWRIGHT_MOVE(FromAbove, __shfl_down_sync)
WARPWRIGHT_MOVE(FromPartner, __shfl_xor_sync)
#undef WARPWRIGHT_MOVE

}  // namespace details

}  // namespace cooperative_groups
