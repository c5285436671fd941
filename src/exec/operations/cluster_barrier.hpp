// The barrier of a cluster of blocks (PTX ISA, "barrier.cluster"), in two steps. In a cluster of one block it is a barrier of that block.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void clusterArrive(Grid& grid, const Issue& issue);
// False: the path waits, or has been put elsewhere.
bool clusterWait(Grid& grid, const Issue& issue);
// These threads are awaited no longer.
void leaveCluster(Grid& grid, Block& block, Warp& warp, LaneMask lanes);

}  // namespace warpwright::exec
