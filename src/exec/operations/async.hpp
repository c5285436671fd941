// Asynchronous copies and mbarrier objects.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void copyAsync(Grid& grid, const Issue& issue);
void commitCopies(Grid& grid, const Issue& issue);
void waitForCopies(Grid& grid, const Issue& issue);
// All copies of lanes that exit.
void finishCopiesOf(Grid& grid, Block& block, Warp& warp, LaneMask lanes);
// An operation on objects in shared memory of the block `home`. kept: its operands, where it was issued before.
void mbarrier(Grid& grid, const Issue& issue, Block& home, const LaneAddresses& addresses, LaneMask mask,
              const KeptSources* kept = nullptr);

}  // namespace warpwright::exec
