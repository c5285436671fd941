// One instruction of a warp at a time, for a Stepper: the SMs of a timed machine. See stepper.hpp.
#pragma once

#include "exec/grid.hpp"
#include "exec/stepper.hpp"

namespace warpwright::exec {

// As beginBlock() has order and cluster.
void startBlock(Grid& grid, BlockSlotId slot, u64 order, SmId sm, Cluster* cluster);
bool endBlockIfFinished(Grid& grid, BlockSlotId slot);
NextInstruction nextInstruction(Grid& grid, BlockSlotId slot, u32 index);
// When a step executes what comes behind its instruction, too: see WarpSource::runAhead().
enum class RunAhead : u8 { never, behindOthersThanAccesses, always };

// The record says how the warp goes on, too.
void step(Grid& grid, BlockSlotId slot, u32 index, u64 now, StepRecorder& recorder, RunAhead runAhead);
void takeBack(Grid& grid, BlockSlotId slot, u32 index, u32 instructions);
// Of a warp whose instruction was a fault: nobody counts it, and it is the next one again, or, behind, the one behind it is.
void resume(Grid& grid, BlockSlotId slot, u32 index, bool behind);

// --- of a helper's warp, whose code the grid has at hand
NextInstruction nextApart(Grid& grid, Helper& helper);
void stepApart(Grid& grid, Helper& helper, u64 now, StepRecorder& recorder);

}  // namespace warpwright::exec
