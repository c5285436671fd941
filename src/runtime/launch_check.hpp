// The limits that a launch must keep, checked before anything runs.
#pragma once

#include <string>

#include "base/types.hpp"
#include "config/machine.hpp"
#include "exec/launch.hpp"
#include "isa/program.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::runtime {

// The largest extents of a grid and a block since compute capability 3.0 (CUDA C++ Programming Guide, "Technical Specifications").
inline constexpr Dim3 kMaxGrid{0x7fff'ffff, 65535, 65535};
inline constexpr u32 kMaxBlockZ = 64;
// Blocks of a cluster that every machine with clusters has (CUDA C++ Programming Guide, "Thread Block Clusters"); isa::kMostClusterBlocks
// are for kernels that ask for more (cudaFuncAttributeNonPortableClusterSizeAllowed).
inline constexpr u32 kPortableClusterBlocks = 8;

enum class LaunchFault : u8 {
  none,
  configuration,  // extents of grid or block
  sharedMemory,   // more shared memory than a block may have
  resources,      // not even one block fits on an SM
  cooperative,    // a cooperative grid that does not fit on the machine at once
  cluster,        // clusters that the grid, the kernel or the machine does not allow
  noClusters,     // the machine has none of several blocks
};

struct LaunchProblem {
  LaunchFault fault = LaunchFault::none;
  std::string message, remedy;
};

LaunchProblem checkLaunch(const config::Machine& machine, const isa::Function& kernel, const exec::LaunchShape& shape,
                          const mechanisms::BlockNeeds& added = {});

}  // namespace warpwright::runtime
