// Random kernels without races, as PTX: threads share lines over lanes, warps and blocks, and synchronise by barriers, __syncwarp, fences
// and atomics.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::testing {

struct RaceFreeKernel {
  static constexpr u32 kThreads = 96, kBlocks = 6, kAll = kThreads * kBlocks;
  // Words of the one array that the kernel gets, by what they are for.
  static constexpr u32 kSlab = 128;                                      // of each block
  static constexpr u32 kReadOnly = 512, kSpread = 1024, kCounters = 16;  // kSpread: each of some thread of the grid
  static constexpr u32 kReadOnlyAt = 0, kSpreadAt = kReadOnlyAt + kReadOnly, kSlabsAt = kSpreadAt + kSpread,
                       kCountersAt = kSlabsAt + kSlab * kBlocks, kOutAt = kCountersAt + kCounters, kTotalAt = kOutAt + kAll,
                       kWords = kTotalAt + kSlab;
  // Its parameter is the array.
  static std::string ptx(u64 seed, u32 phases = 5);
};

}  // namespace warpwright::testing
