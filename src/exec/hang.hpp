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
void follow(const Grid& grid, const Warp& warp, u32 registers, const StepRecord& record, WarpCircle& circle);
bool isStuck(Grid& grid, std::span<const WarpCircle> circles);
// Whether a thread of a resident block has yet to exit, or a helper goes in a circle beside one that has. Where none has, nothing waits but
// for memory to take what they stored.
bool hasThreads(const Grid& grid);
// A routine that goes in a circle beside a warp, with its place: "'spin' at routines.ptx:9"; empty: none does.
std::string circlingRoutine(const Grid& grid);
// The same of a helper, wherever it is.
std::string whereHelperIs(const Grid& grid, const Helper& helper);
bool releaseWaiting(Grid& grid);

}  // namespace warpwright::exec
