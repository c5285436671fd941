// The types that nearly every file uses: integers, sets of lanes, ids, addresses, extents.
#pragma once

#include "base/address.hpp"
#include "base/bit_set.hpp"
#include "base/integers.hpp"

namespace warpwright {

// Lanes of a warp. Warps have 4 to 64 lanes.
using LaneId = Id<struct Lane>;
using LaneMask = BitSet<struct Lane>;

inline constexpr u32 kMaxWarpSize = LaneMask::kMost;

// Where an SM keeps a warp, and where it keeps a block of a launch.
using SlotId = Id<struct WarpSlot>;
using BlockSlotId = Id<struct BlockSlot>;

// An SM of a machine.
using SmId = Id<struct Multiprocessor>;

// A memory partition of a machine, and its DRAM channel.
using PartitionId = Id<struct MemoryPartition>;

// An instruction in the code of a program: its index there (isa::Program::code).
using Pc = Id<struct CodeIndex>;
inline constexpr Pc kNoPc{~u32{0}};
constexpr Pc next(Pc pc) { return Pc(pc + 1); }
constexpr Pc previous(Pc pc) { return Pc(pc - 1); }
constexpr Pc& operator++(Pc& pc) { return pc = next(pc); }

// A byte as the memory system names it: of global memory by its device address, of spaces without addresses of their own by those that
// sm/address_spaces.hpp gives them.
using GlobalAddress = AddressIn<struct GlobalSpace>;
// A byte of the shared memory of a block, counted from its beginning.
using SharedOffset = AddressIn<struct SharedSpace>;

struct Dim3 {
  u32 x = 1, y = 1, z = 1;
  constexpr u64 count() const { return u64{x} * y * z; }
  constexpr bool operator==(const Dim3&) const = default;
};

}  // namespace warpwright
