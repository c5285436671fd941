// Accesses to shared memory by addresses of a cluster: see cluster.hpp.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

// Addresses of shared memory, some of which name a block of the cluster.
void accessCluster(Grid& grid, const Issue& issue, const LaneAddresses& addresses, LaneMask mask);

}  // namespace warpwright::exec
