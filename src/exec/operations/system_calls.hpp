// vprintf, malloc, free and failed assertions.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void systemCall(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
