#include "sm/warp_states.hpp"

#include <initializer_list>

namespace warpwright::sm {

void WarpStates::forget(SlotId slot) {
  for (WarpSet* set : {&canRun, &serial, &fenced, &fencing, &blocked, &hazard, &hazardMemory, &late, &orderWait, &held, &awaitStages,
                       &openBarrier, &inFlight})
    set->erase(slot);
}

const char* WarpStates::waitOf(SlotId slot, WarpSet fetched) const {
  if (blocked.contains(slot)) return "a branch";
  if (orderWait.contains(slot)) return "an atomic operation of the SM";
  if (hazardMemory.contains(slot)) return "the result of a memory operation";
  if ((hazard | late).contains(slot)) return "the result of an instruction";
  if (fenced.contains(slot)) return "their memory operations (fence)";
  if (fencing.contains(slot)) return "a fence";
  if (awaitStages.contains(slot)) return "a stage of the way to memory";
  if (held.contains(slot)) return "a helper";
  if (serial.contains(slot)) return "their turn for a system call";
  if (openBarrier.contains(slot)) return "their turn behind a barrier";
  if (!canRun.contains(slot)) return "other warps or lanes (barrier)";
  return fetched.contains(slot) ? "an issue slot" : "instructions";
}

}  // namespace warpwright::sm
