// Tiles of more than a warp, which meet and exchange values in shared memory. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

namespace details {

// One word for each warp; a tile has those of its warps, the first of which is its barrier.
struct TileWords {
  unsigned arrived;
  unsigned exchanged;
};

// The rank of the first thread of a tile of `size` threads, and how many there are: the block's last tile may be smaller.
WARPWRIGHT_GROUP unsigned firstOfTile(unsigned size) { return threadInBlock() / size * size; }
WARPWRIGHT_GROUP unsigned threadsOfTile(unsigned size) {
  unsigned rest = blockThreads() - firstOfTile(size);
  return rest < size ? rest : size;
}

WARPWRIGHT_GROUP TileWords* wordsOfTile(TileWords* words, unsigned size) {
  if (words == nullptr) {
    __assertfail("tiles of more than 32 threads need this_thread_block(block_tile_memory)", "cooperative_groups.h", __LINE__,
                 "tiled_partition", sizeof(char));
  }
  return words + firstOfTile(size) / kWarpThreads;
}

// The lanes of this warp that the block has threads for.
WARPWRIGHT_GROUP unsigned lanesOfWarp() {
  unsigned rest = threadsOfTile(kWarpThreads);
  return rest == kWarpThreads ? 0xffffffffu : (1u << rest) - 1;
}

// One thread of each warp arrives, and waits as at the barrier of a grid.
WARPWRIGHT_GROUP void tileBarrier(TileWords* words, unsigned size) {
  TileWords* tile = wordsOfTile(words, size);
  __syncwarp(lanesOfWarp());
  if (lane() == 0) awaitAll(&tile->arrived, (threadsOfTile(size) + kWarpThreads - 1) / kWarpThreads, threadInBlock() == firstOfTile(size));
  __syncwarp(lanesOfWarp());
}

// What one thread of the tile gives to all.
struct FromThread {
  TileWords* words;
  unsigned size;
  unsigned rank;
  WARPWRIGHT_GROUP unsigned operator()(WARPWRIGHT_MAYBE_UNDEFINED unsigned word) const {
    TileWords* tile = wordsOfTile(words, size);
    if (threadInBlock() - firstOfTile(size) == rank) tile->exchanged = word;
    tileBarrier(words, size);
    unsigned seen = tile->exchanged;
    tileBarrier(words, size);
    return seen;
  }
};

}  // namespace details

// Shared memory that the tiles of a block of up to `MaxBlockSize` threads work with.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  details::TileWords words[(MaxBlockSize + details::kWarpThreads - 1) / details::kWarpThreads];
};

template <unsigned Size, typename Parent>
class large_thread_block_tile {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has a power of two of up to 1024 threads");

 public:
  WARPWRIGHT_GROUP explicit large_thread_block_tile(const Parent& parent) : words_(parent.words()) {}
  WARPWRIGHT_GROUP void sync() const { details::tileBarrier(words_, Size); }
  WARPWRIGHT_GROUP static unsigned size() { return details::threadsOfTile(Size); }
  WARPWRIGHT_GROUP static unsigned num_threads() { return size(); }
  WARPWRIGHT_GROUP static unsigned thread_rank() { return details::threadInBlock() - details::firstOfTile(Size); }
  WARPWRIGHT_GROUP static unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }
  WARPWRIGHT_GROUP static unsigned meta_group_rank() { return Parent::thread_rank() / Size; }
  WARPWRIGHT_GROUP operator thread_group() const { return thread_group(words_, Size); }
  WARPWRIGHT_GROUP details::TileWords* words() const { return words_; }

  template <typename T>
  WARPWRIGHT_GROUP T shfl(WARPWRIGHT_MAYBE_UNDEFINED T value, int rank) const {
    return details::moved(value, details::FromThread{words_, Size, (unsigned)rank});
  }
  WARPWRIGHT_GROUP int any(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const {
    return ofWarps(__any_sync(details::lanesOfWarp(), predicate), false);
  }
  WARPWRIGHT_GROUP int all(WARPWRIGHT_MAYBE_UNDEFINED int predicate) const {
    return ofWarps(__all_sync(details::lanesOfWarp(), predicate), true);
  }

 private:
  // All of what each warp has found, or any.
  WARPWRIGHT_GROUP int ofWarps(int found, bool all) const {
    int result = all;
    for (unsigned first = 0; first < size(); first += details::kWarpThreads) {
      int other = shfl(found, (int)first);
      result = all ? result & other : result | other;
    }
    return result;
  }

  details::TileWords* words_;
};

}  // namespace cooperative_groups
