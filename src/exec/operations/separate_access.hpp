// Global memory as one SM of several sees it, which run at once: stores and atomics take effect for others between quanta. See stepper.hpp.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

// The access at hand is one whose result comes with performAtomic() or performRemote().
bool isDeferred(const Grid& grid);
// Whether the access has to wait for atomics of its SM that are not performed yet; the instruction is then issued again.
bool awaitsAtomics(Grid& grid, const Issue& issue, const LaneAddresses& addresses);
// The instruction has to wait for what its SM has yet to do, and is then issued again.
void waitForSm(Grid& grid, const Issue& issue);
void performSeparately(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask);
// An atomic, by its number, takes effect in memory.
void performAtomic(Grid& grid, u32 number);

}  // namespace warpwright::exec
