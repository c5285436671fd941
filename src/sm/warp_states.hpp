// What keeps each warp slot of an SM from issuing, as sets of slots.
#pragma once

#include "sm/warp_set.hpp"

namespace warpwright::sm {

// A warp may issue when it is in canRun, has its next instruction, and is in none of kept().
struct WarpStates {
  WarpSet resident;
  WarpSet canRun;        // its next instruction is known
  WarpSet serial;        // … and may only run alone, between quanta
  WarpSet blocked;       // a branch is not decided yet
  WarpSet hazard;        // an operand is not there yet
  WarpSet hazardMemory;  // … which a memory operation brings
  WarpSet late;          // an operand that another pipe brings is on its way from there
  WarpSet fenced;        // memory operations are not through
  WarpSet fencing;       // behind a fence that takes its time
  WarpSet orderWait;     // atomics of the SM that come first are not performed
  WarpSet held;          // by its helpers
  WarpSet awaitStages;   // by stages of the way to memory
  WarpSet openBarrier;   // at a barrier that has opened and lets other warps go first
  WarpSet accessing;     // too soon behind a memory instruction for another one
  WarpSet inFlight;      // has instructions under way
  WarpSet expanding;     // slots, resident or not, of schedulers that issue an instruction of several cycles

  WarpSet kept() const { return hazard | late | fenced | fencing | held | awaitStages | openBarrier | blocked | orderWait | expanding; }
  // Warps that wait for what takes long.
  WarpSet waitingLong() const { return hazardMemory | fenced | fencing | awaitStages | openBarrier | orderWait | ~canRun; }
  // Those that wait for their turn to run alone, and for nothing else.
  WarpSet awaitTurn() const { return serial - (hazard | late | fenced | fencing | blocked | held | awaitStages | openBarrier | expanding); }
  // The slot has a new warp.
  void forget(SlotId slot);
  // What a resident warp waits for, in words; `fetched`: those that have their next instruction.
  const char* waitOf(SlotId slot, WarpSet fetched) const;
};

}  // namespace warpwright::sm
