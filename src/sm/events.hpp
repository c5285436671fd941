// What an SM awaits at known cycles.
#pragma once

#include "sm/context.hpp"
#include "sm/instruction_info.hpp"
#include "sm/wheel.hpp"

namespace warpwright::sm {

struct Event {
  enum class Kind : u8 {
    release,  // an instruction's results may be used
    unblock,  // … and its warp knows how it goes on
    served,   // a memory instruction has passed the first memory stage of an in-order pipeline
    fetched,
    lineFetched,   // a line of code for the instruction cache of a sub-core
    guardSeen,     // a predicate guards instructions from now on
    resultIsLate,  // … is there for the warp's next instruction, which another pipe executes
    accessEnds,    // the warp may issue another memory instruction
    letGo,         // the warp may go on behind a barrier
    fencePassed,   // the warp may go on behind a fence
    expanded,      // the warp's scheduler has issued all that an instruction stands for
    clusterOpens,  // the barrier of a cluster, for its blocks here (Resident::clusterOpens)
    bulkRead,      // a bulk store has read its source
    bulkDone,      // a bulk copy is complete
    stallEnds,     // of a warp whose instructions have control bits
    counted,       // an instruction's dependence counters have gone up
    operandsRead,  // by an instruction that counts until then
  } kind = Kind::release;
  bool isMemory = false;  // release, counted, operandsRead: of an access to memory
  Context context;        // of the instruction, or the warp
  const InstructionInfo* info = nullptr;
  u32 value = 0;  // by kind: see below

  // release, unblock: the number of the instruction (IssuedInstruction::number).
  u32 instruction() const { return value; }
  // served: the cycles that it needed the stage for.
  u32 stageCycles() const { return value; }
  // bulkRead, bulkDone: the number of the copy.
  u32 bulk() const { return value; }
  // fetched, lineFetched: the number of the fetch.
  u32 fetch() const { return value; }
};

using Events = Wheel<Event>;

}  // namespace warpwright::sm
