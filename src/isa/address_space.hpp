// Where the spaces lie in the generic address space. All windows lie below 2^28, so they are the same with 32-bit and 64-bit
// addresses and no allocation can collide with them; addresses under kLowestWindow are never valid (null pointers).
#pragma once

#include "base/types.hpp"

namespace warpwright::isa {

inline constexpr u64 kWindowBytes = 0x0100'0000;  // 16 MiB each
inline constexpr u64 kSharedWindow = 0x0100'0000;
inline constexpr u64 kLocalWindow = 0x0200'0000;
inline constexpr u64 kConstantWindow = 0x0300'0000;
inline constexpr u64 kParamWindow = 0x0400'0000;
inline constexpr u64 kLowestGlobal = 0x1000'0000;

// Clusters of blocks (PTX ISA, "Cluster of Cooperative Thread Arrays"). A block's own shared memory begins at 0 of the shared window; that
// of the block with rank r of its cluster is seen at (r + 1) * kClusterStride, by itself too.
inline constexpr u64 kClusterStride = 0x8'0000;  // 512 KiB: more than a block can have
inline constexpr u32 kMostClusterBlocks = 16;    // CUDA C++ Programming Guide, "Thread Block Clusters": of sizes that are not portable
static_assert((kMostClusterBlocks + 1) * kClusterStride < kWindowBytes);

}  // namespace warpwright::isa
