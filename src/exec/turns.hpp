// Which block of a grid runs, and when the grid is hung: see turns.cpp.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

// Runs blocks in turns. True when the grid has ended, false when it gives way.
bool runGrid(Grid& grid, Patience patience);
// One more slot for blocks. number: of the slot among those of all SMs.
void addBlockSlot(Grid& grid, u32 number);
// The block that begins as the order-th, from 0, takes the slot; cluster: that it is in, null where clusters are of one block.
void beginBlock(Grid& grid, Block& block, BlockSlotId slot, u64 order, Cluster* cluster);
// The block in the slot has ended.
void finish(Grid& grid, Block& block, BlockSlotId slot);
// Lanes of the warp that wait for others which will never come go on. True when there were any.
bool awaitNobody(Grid& grid, Warp& warp);

}  // namespace warpwright::exec
