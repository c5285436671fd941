// Matrix operations of warp groups.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void groupMultiply(Grid& grid, const Issue& issue);
// wait_group: the path waits for the other warps of its group.
void groupWait(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
