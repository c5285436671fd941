// Any group of threads, for functions that take whichever they are given. Part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {

namespace details {
struct TileWords;
WARPWRIGHT_GROUP void tileBarrier(TileWords* words, unsigned size);
WARPWRIGHT_GROUP unsigned firstOfTile(unsigned size);
WARPWRIGHT_GROUP unsigned threadsOfTile(unsigned size);
}  // namespace details

class thread_group {
 public:
  WARPWRIGHT_GROUP static thread_group ofBlock() { return thread_group(Kind::kBlock, 0, nullptr); }
  WARPWRIGHT_GROUP static thread_group ofGrid() { return thread_group(Kind::kGrid, 0, nullptr); }
  // Lanes of a warp.
  WARPWRIGHT_GROUP explicit thread_group(unsigned mask) : thread_group(Kind::kLanes, mask, nullptr) {}
  // A tile of `size` threads, more than a warp.
  WARPWRIGHT_GROUP thread_group(details::TileWords* words, unsigned size) : thread_group(Kind::kTile, size, words) {}

  WARPWRIGHT_GROUP void sync() const {
    switch (kind_) {
      case Kind::kBlock:
        return __syncthreads();
      case Kind::kGrid:
        return details::gridBarrier();
      case Kind::kLanes:
        return __syncwarp(maskOrSize_);
      case Kind::kTile:
        return details::tileBarrier(words_, maskOrSize_);
    }
  }
  WARPWRIGHT_GROUP unsigned long long size() const {
    switch (kind_) {
      case Kind::kBlock:
        return details::blockThreads();
      case Kind::kGrid:
        return details::gridBlocks() * details::blockThreads();
      case Kind::kLanes:
        return __popc(maskOrSize_);
      case Kind::kTile:
        return details::threadsOfTile(maskOrSize_);
    }
  }
  WARPWRIGHT_GROUP unsigned long long num_threads() const { return size(); }
  WARPWRIGHT_GROUP unsigned long long thread_rank() const {
    switch (kind_) {
      case Kind::kBlock:
        return details::threadInBlock();
      case Kind::kGrid:
        return details::blockInGrid() * details::blockThreads() + details::threadInBlock();
      case Kind::kLanes:
        return __popc(maskOrSize_ & details::lanesBelow());
      case Kind::kTile:
        return details::threadInBlock() - details::firstOfTile(maskOrSize_);
    }
  }

 private:
  enum class Kind { kBlock, kGrid, kLanes, kTile };
  WARPWRIGHT_GROUP thread_group(Kind kind, unsigned maskOrSize, details::TileWords* words)
      : kind_(kind), maskOrSize_(maskOrSize), words_(words) {}

  Kind kind_;
  unsigned maskOrSize_;
  details::TileWords* words_;
};

}  // namespace cooperative_groups
