// Reads of special registers.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void specialRegister(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
