// Other threads of the program: they may write to memory that a running kernel reads.
#pragma once

#include "exec/memory.hpp"

namespace warpwright::exec {

// Whether the program has threads beside the simulator's own, which are so many with the one that asks, and memory that they share with
// kernels.
bool hostMayWrite(const GlobalMemory& memory, u32 ownThreads);

}  // namespace warpwright::exec
