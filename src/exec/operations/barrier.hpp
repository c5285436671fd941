// Barriers of a block.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

void barrierSync(Grid& grid, const Issue& issue);
void barrierArrive(Grid& grid, const Issue& issue);
// The warp waits as a whole, until so many threads have come.
void waitAsWarp(Grid& grid, const Issue& issue, u32 number, u32 threads);
// Opens the barrier when all that it expects have arrived. True when it has.
bool completeBarrier(Grid& grid, Block& block, u32 number);

}  // namespace warpwright::exec
