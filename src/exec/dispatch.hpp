// The dispatch loop of the functional machine, and what operations need of it.
#pragma once

#include "exec/grid.hpp"

namespace warpwright::exec {

// Gives the warp a turn. kIssueEvents: the observer hears of every instruction.
template <bool kIssueEvents>
void runWarp(Grid& grid, Block& block, Warp& warp);

// Takes back the count of an instruction that has to wait; it is issued again.
void unissue(Grid& grid, const Issue& issue);
// A store that is to be issued again in the warp's next turn: see runWarp().
bool endsFirstTurn(Grid& grid, const Issue& issue);
// The path reads the same again and again: other paths get a turn first.
void waitForOthers(Grid& grid, const Issue& issue);
// Lets go the lanes that wait for others of their warp at meeting points. True when there were any.
bool releaseWaiting(Grid& grid, Warp& warp);
// Counts the instructions from begin up to end as issued once each, with `lanes` active lanes.
void countRun(Grid& grid, Pc begin, Pc end, u64 lanes);
// Adds the straight runs of instructions to the counts of single ones.
void settleCounts(Grid& grid);

// --- events for the observer and the injector of faults, one of which is there
void raiseIssue(Grid& grid, Block& block, Warp& warp, const Op& op, Pc pc, LaneMask active, LaneMask executing);
void raiseResult(Grid& grid, u64 block, Warp& warp, const Op& op, Pc pc, LaneMask written);

}  // namespace warpwright::exec
