// Prefetches of lines and of ranges.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void prefetch(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
