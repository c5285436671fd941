// What is counted of timed launches, and the figures made of it: of one launch, or of several merged.
#pragma once

#include <span>
#include <string_view>

#include "machines/statistics.hpp"
#include "stats/formula.hpp"
#include "stats/json_type.hpp"

namespace warpwright::machines {

struct TimingCounters {
  u64 launches = 0, failed = 0, besideOthers = 0, cycles = 0, nanoseconds = 0, drainCycles = 0;
  u64 blocks = 0, mostBlocks = 0, sampled = 0, gridBlocks = 0, estimatedCycles = 0;
  u64 allocatedRegisters = 0, allocatedSharedBytes = 0;
  u64 occupancyRegisters = 0, occupancySharedBytes = 0;
  u64 loadBytesUsed = 0;
  GpuStats gpu;

  static constexpr void fields(auto&& field) {
    using T = TimingCounters;
    field("launches", "launches", "launches, whatever their end", &T::launches);
    field("failed", "launches", "launches that did not complete", &T::failed);
    field("beside_others", "launches", "during which launches of other streams were on the machine; their share of `gpu` is not told apart",
          &T::besideOthers);
    field("cycles", "core cycles", "from the launch to the end of its last block", &T::cycles);
    field("nanoseconds", "ns", "the same in simulated time", &T::nanoseconds);
    field("drain_cycles", "core cycles", "of `gpu.cycles`, those from the end of the last warp of all SMs to the last answer",
          &T::drainCycles);
    field("blocks", "blocks", "that ran to their end and were simulated in detail", &T::blocks);
    field("sampled", "launches", "of which only a sample of the blocks was simulated in detail; all other counters are of the sample",
          &T::sampled);
    field("grid_blocks", "blocks", "of the grids", &T::gridBlocks);
    field("estimated_cycles", "core cycles",
          "with all blocks of the grids, and of a kernel of all its launches: extrapolated where something was sampled, else `cycles`; "
          "`estimate` has the interval",
          &T::estimatedCycles);
    field("most_blocks", "blocks", "resident at once on an SM, summed over the SMs", &T::mostBlocks);
    field("allocated_registers", "32-bit registers", "that those blocks have, in the units of the machine's allocation",
          &T::allocatedRegisters);
    field("allocated_shared_bytes", "bytes", "of shared memory that those blocks have, in the units of the machine's allocation",
          &T::allocatedSharedBytes);
    field("occupancy_registers", "32-bit registers",
          "of the blocks that an SM can hold by the limits of its registers, shared memory, warps and blocks, whatever the grid; in units "
          "as above",
          &T::occupancyRegisters);
    field("occupancy_shared_bytes", "bytes", "of shared memory of those blocks", &T::occupancySharedBytes);
    field("load_bytes_used", "bytes",
          "distinct bytes that each warp-wide load of global or local memory hands to lanes, and bytes of the texels fetched",
          &T::loadBytesUsed);
    field("gpu", "", "the machine, from the launch to the last answer", &T::gpu);
  }
};

// A figure made of counters. Numerators and denominators of launches are summed before the division.
struct Figure {
  std::string_view name, unit, text;
  stats::Ratio (*value)(const TimingCounters& counters, const config::Machine& machine);
};
std::span<const Figure> figures();
// The figure of that name; nothing to divide by: nothing.
stats::Ratio figure(std::string_view name, const TimingCounters& counters, const config::Machine& machine);
// All of them, by name.
stats::Json figuresJson(const TimingCounters& counters, const config::Machine& machine);

}  // namespace warpwright::machines
