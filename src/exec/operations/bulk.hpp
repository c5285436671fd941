// Bulk copies.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void copyBulk(Grid& grid, const Issue& issue);
void commitBulk(Grid& grid, const Issue& issue);
void waitForBulk(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
