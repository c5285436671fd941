// How much the loads of each instruction ask for.
#pragma once

#include "config/machine.hpp"
#include "exec/launch.hpp"
#include "mechanisms/elastic_mshr/settings.hpp"
#include "sm/launch_notes.hpp"

namespace warpwright::mechanisms::elastic_mshr {

// Of a launch, as the SMs see it: what the access granularity buffer holds (section 6.4). Bytes by final pc, powers of two from a normal
// block to what lies in one channel.
struct Granularities {
  sm::PerInstruction<u16> bytes;
};

// As the settings say: the same for all instructions, or as the access patterns of the instructions allow (section 6.3.3).
Granularities granularitiesOf(const exec::LaunchRequest& request, const Settings& settings, const config::Machine& machine);

// Bytes by final pc in sizes that blocks can have in this machine: the next smaller ones.
sm::PerInstruction<u16> asBlocks(const sm::PerInstruction<u32>& bytes, const config::Machine& machine);

}  // namespace warpwright::mechanisms::elastic_mshr
