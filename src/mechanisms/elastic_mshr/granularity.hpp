// How much the accesses of each instruction ask for.
#pragma once

#include "config/machine.hpp"
#include "exec/launch.hpp"
#include "mechanisms/elastic_mshr/settings.hpp"
#include "mechanisms/launch_patterns.hpp"
#include "sm/launch_notes.hpp"

namespace warpwright::mechanisms::elastic_mshr {

// Of a launch, as the SMs see it: what the access granularity buffer holds (section 6.4). Bytes are powers of two from a normal block to
// what lies in one channel.
struct Granularities {
  sm::PerInstruction<u16> bytes;                             // by final pc
  sm::PerInstruction<std::vector<AddressRange>> versions{};  // likewise, of what is chosen when a warp executes; empty: of nothing

  // What an access to a normal block at the address asks for. Of several versions that it may be the least: no more than each allows.
  u32 bytesOf(u32 pc, u64 address, u32 blockBytes, Dim3 threadBlock) const;
};

// As the settings say: the same for all instructions, or as the access patterns of the instructions allow (section 6.3.3).
Granularities granularitiesOf(const exec::LaunchRequest& request, const Settings& settings, const config::Machine& machine);

// Bytes by final pc in sizes that blocks can have in this machine: the next smaller ones.
sm::PerInstruction<u16> asBlocks(const sm::PerInstruction<u32>& bytes, const config::Machine& machine);

}  // namespace warpwright::mechanisms::elastic_mshr
