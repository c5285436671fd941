// Matrix operations of warp groups.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void groupMultiply(Grid& grid, const Issue& issue);
void groupCommit(Grid& grid, const Issue& issue);
// wait_group: the path waits for the other warps of its group.
void groupWait(Grid& grid, const Issue& issue);
// The race detector hears of what a warp's products have read, but for its last groups.
void noteOperandReads(Block& block, Warp& warp, u64 groups);

}  // namespace warpwright::exec
