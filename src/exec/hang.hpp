// Grids in which nothing will ever change, and what is said of them.
#pragma once

#include "exec/grid.hpp"
#include "exec/stepper.hpp"
#include "exec/warp_circle.hpp"

namespace warpwright::exec {

std::string whereThreadsWait(const Grid& grid);
// Ends the grid: it hangs.
[[noreturn]] void hang(const Grid& grid, const std::string& why);
// --- what a Stepper asks to find that nothing will ever change
void follow(const Grid& grid, BlockSlotId slot, u32 index, const StepRecord& record, WarpCircle& circle);
bool isStuck(const Grid& grid, std::span<const WarpCircle> circles);
// Whether a thread of a resident block has yet to exit. Where none has, nothing waits but for memory to take what they stored.
bool hasThreads(const Grid& grid);
bool releaseWaiting(Grid& grid);

}  // namespace warpwright::exec
