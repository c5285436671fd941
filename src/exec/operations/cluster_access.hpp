// Accesses to shared memory by addresses of a cluster: see cluster.hpp.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

// Addresses of shared memory, some of which name a block of the cluster.
void accessCluster(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask);
// No block of the cluster has the rank that the address names, or that one has ended: a fault where bounds are checked.
void reportNobodyThere(Grid& grid, const Issue& issue, LaneId lane, SharedOffset address);
// Lanes of the access at hand whose part in it comes with performRemote().
LaneMask putOffLanes(const Grid& grid);
// An access to other SMs, by its number, takes effect.
void performRemote(Grid& grid, u32 number);

}  // namespace warpwright::exec
