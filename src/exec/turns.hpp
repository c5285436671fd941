// Which block of a grid runs, and when the grid is hung: see turns.cpp.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

// Runs blocks in turns. True when the grid has ended, false when it gives way.
bool runGrid(Grid& grid, Patience patience);
// Makes the place for a resident block.
void addPlace(Grid& grid, u32 slot);
// The block in the place has ended.
void finish(Grid& grid, Block& block, u32 place);
// Lanes of the warp that wait for others which will never come go on. True when there were any.
bool awaitNobody(Grid& grid, Warp& warp);

}  // namespace warpwright::exec
