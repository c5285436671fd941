// Accesses to memory: ld, st, atom, fence, and what checks, races and observers make of them.
#pragma once

#include <functional>

#include "exec/grid.hpp"

namespace warpwright::exec {

inline bool isAtomic(const Op& op) { return op.handler == Handler::atomic || op.handler == Handler::mbarrier; }
// Whether accesses need no events and no checks beside the bounds of one allocation.
bool mayAccessDirectly(const Grid& grid);
// The whole access of an instruction.
void access(Grid& grid, const Issue& issue);
// A fence orders the warp's accesses; anything else that does nothing orders none.
void noteFence(const Issue& issue);

// --- for accesses to memory of other blocks of the cluster (cluster_access.hpp)
// The observer, which is there, hears of it.
void raiseMemory(const Grid& grid, const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask);
// What lanes get that read where no memory is.
void readZero(Grid& grid, const Issue& issue, LaneMask lanes);
// A lane's access that ends behind the last byte of its space: a fault, unless it is to be left out.
void beyondLimit(Grid& grid, const Issue& issue, isa::Space space, LaneId lane, u64 address, u64 limit);
// The access of lanes that lies within the shared memory of the block `home`, with its checks. kept: its operands, where it was issued
// before.
void accessShared(Grid& grid, const Issue& issue, Block& home, const LaneAddresses& addresses, LaneMask mask,
                  const KeptSources* kept = nullptr);

// --- for operations that access memory in ways of their own
// The lanes whose accesses lie below the limit of the space, in bytes; a fault for others, or a warning.
LaneMask checkLimit(Grid& grid, const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask, u64 limit);
void checkAlignment(Grid& grid, const Issue& issue, isa::Space space, const LaneAddresses& addresses, LaneMask mask);
// Ends the grid with the fault, or, where it is to go on, reports the first of its kind at this instruction.
void faultOrWarn(Grid& grid, Pc pc, LaunchStatus status, const std::function<Fault()>& describe);
// A path that reads the same again and again waits for others.
void notePoll(const Grid& grid, u64 block, Warp& warp, const Op& op, LaneMask mask, const LaneAddresses& addresses);
// Any address of the generic space; false when the bytes are not all accessible.
bool readGeneric(const Grid& grid, const Block& block, const Warp& warp, LaneId lane, u64 address, u32 bytes, void* to);
bool accessLocalBytes(const Grid& grid, const Warp& warp, LaneId lane, u64 offset, u32 bytes, void* data, bool write);

}  // namespace warpwright::exec
