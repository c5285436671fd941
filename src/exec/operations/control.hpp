// Control flow. Each leaves the path tree up to date; the path may be gone.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void branch(Grid& grid, const Issue& issue);
void branchIndexed(Grid& grid, const Issue& issue);
void call(Grid& grid, const Issue& issue);
void callIndirect(Grid& grid, const Issue& issue);
void ret(Grid& grid, const Issue& issue);
void exit(Grid& grid, const Issue& issue);
// trap and brkpt end the grid.
[[noreturn]] void stop(Grid& grid, const Issue& issue, LaunchStatus status);
// Control has come to where there is no instruction.
[[noreturn]] void undefinedCode(Grid& grid, const Issue& issue);

}  // namespace warpwright::exec
