// Matrix operations of whole warps.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void matrixOperation(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
