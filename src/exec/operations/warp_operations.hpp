// Operations among the lanes of a warp. True when the path goes straight on; otherwise the path tree is up to date.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

bool shuffle(Grid& grid, const Issue& issue);
bool vote(Grid& grid, const Issue& issue);
bool match(Grid& grid, const Issue& issue);
bool reduce(Grid& grid, const Issue& issue);
bool elect(Grid& grid, const Issue& issue);
bool warpSync(Grid& grid, const Issue& issue);
void activeMask(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
