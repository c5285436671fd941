// How much the accesses of each instruction of a launch ask for, as mechanisms attach it to the launch: what Gou's access granularity
// buffer holds ("Customizable Memory Schemes for Data Parallel Accelerators", section 6.4).
#pragma once

#include "mechanisms/launch_patterns.hpp"
#include "mem/request.hpp"
#include "sm/launch_notes.hpp"

namespace warpwright::mechanisms {

// Bytes are powers of two between the limits.
struct Granularities {
  sm::PerInstruction<u16> bytes;                             // by final pc
  sm::PerInstruction<std::vector<AddressRange>> versions{};  // likewise, of what is chosen when a warp executes; empty: of nothing

  // What an access to `count` bytes at the address asks for, by a warp of block number `block` of the grid. Of several versions that it may
  // be the least: no more than each allows.
  u32 bytesOf(const mem::Origin& origin, GlobalAddress address, u32 count, const Dim3& grid) const;
};

// The same for all instructions.
Granularities fixedGranularities(const exec::LaunchRequest& request, u32 bytes, const compiler::GranularityLimits& limits);

// As the access patterns of the instructions allow (section 6.3.3). atWarpTime: also where the address depends on the path.
Granularities patternGranularities(const exec::LaunchRequest& request, const compiler::GranularityLimits& limits,
                                   const compiler::GranularityRules& rules, bool atWarpTime);

// The next smaller power of two between the limits.
u32 asBlock(u32 bytes, const compiler::GranularityLimits& limits);

}  // namespace warpwright::mechanisms
