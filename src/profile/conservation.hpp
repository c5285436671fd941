// The laws that a profile obeys. A violation is a mistake of the simulator, never of the program.
#pragma once

#include "exec/launch.hpp"
#include "profile/collector.hpp"
#include "profile/counters.hpp"
#include "stats/conservation.hpp"

namespace warpwright::profile {

// How many lanes its memory events have if nothing is lost: those that execute a load, a store, an atomic or an operation on an mbarrier.
// Of an asynchronous copy those, which write shared memory, and no more than those again, which read global memory: lanes whose source has
// no bytes do not.
u64 lanesOfAccesses(const isa::Instruction& instruction, const exec::InstructionCount& count, const InstructionEvents* events);

// Classes sum up to what was issued.
void checkInstructions(stats::Conservation& laws, const Counters& launch, const exec::LaunchResult& result);
// Every executed lane of a load, store or atomic went to exactly one space, that of a copy to both of its; to at most one where not every
// access is `complete` (the launch stopped at a fault, or accesses out of bounds are dropped).
void checkAccesses(stats::Conservation& laws, const Counters& launch, u64 accessLanes, bool complete);
// Lines sum up to the kernel, and no part exceeds its whole.
void checkTotals(stats::Conservation& laws, const Counters& kernel, const Counters& sumOfLines, u32 warpSize);
// The footprint saw each sector that global requests moved.
void checkFootprint(stats::Conservation& laws, const Counters& kernel, const FootprintCounters& footprint);

}  // namespace warpwright::profile
