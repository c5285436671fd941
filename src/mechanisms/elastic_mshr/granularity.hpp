// How much the loads of each instruction ask for.
#pragma once

#include "config/machine.hpp"
#include "exec/launch.hpp"
#include "sm/launch_notes.hpp"

namespace warpwright::mechanisms::elastic_mshr {

// Of a launch, as the SMs see it: what the access granularity buffer holds (section 6.4). Bytes by final pc, powers of two from a normal
// block to what lies in one channel.
struct Granularities {
  sm::PerInstruction<u16> bytes;
};

// For a launch, bytes by final pc as the access patterns of the instructions allow (section 6.3.3). What is no size of a block becomes the
// next smaller one (`asBlocks`).
using ChooseByPattern = sm::PerInstruction<u16> (*)(const exec::LaunchRequest& request, const config::Machine& machine);
// Null: nobody looks for patterns, and `granularity = "by_pattern"` is refused.
ChooseByPattern patternChooser();

// The same in sizes that blocks can have in this machine.
sm::PerInstruction<u16> asBlocks(sm::PerInstruction<u16> bytes, const config::Machine& machine);

}  // namespace warpwright::mechanisms::elastic_mshr
