// How many blocks of a kernel an SM holds at once.
#pragma once

#include <string>

#include "base/types.hpp"
#include "config/machine.hpp"

namespace warpwright::runtime {

struct Occupancy {
  u32 blocksPerSm = 0;
  std::string limiter;  // "registers", "shared memory", "warps", "blocks"
};

struct BlockNeeds {
  u32 threads = 1;
  u32 registersPerThread = 0;
  u64 sharedBytes = 0;  // static and dynamic
};

// Of a block.
u64 warpsOf(const config::Machine& machine, u32 threads);

// Registers come in units of Machine::registerAllocationUnit per warp, out of the part of the register file that belongs to the
// warp's scheduler; shared memory in units of sharedAllocationUnit per block, with what the system takes for it. CUDA C++ Programming
// Guide, "Multiprocessor Level".
// What a block takes of an SM, in the same units.
struct BlockShare {
  u32 warps = 0, registers = 0;
  u64 sharedBytes = 0;
};
BlockShare shareOf(const config::Machine& machine, const BlockNeeds& needs);

Occupancy occupancyOf(const config::Machine& machine, const BlockNeeds& needs);

// Clusters of so many blocks that the machine holds at once, where an SM holds that many blocks.
u64 residentClusters(const config::Machine& machine, u64 blocks, u32 blocksPerSm);
// Blocks of the largest cluster that it holds, up to `most`.
u32 largestCluster(const config::Machine& machine, u32 blocksPerSm, u32 most);

}  // namespace warpwright::runtime
