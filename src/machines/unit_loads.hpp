// What each SM, L2 slice and DRAM channel did, where GpuStats has those of a kind together: who has most of the work.
#pragma once

#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "stats/json_type.hpp"

namespace warpwright::machines {

// One counter, by unit. Empty: there are no such units, or nothing was counted.
using ByUnit = std::vector<u64>;

struct UnitLoads {
  ByUnit smInstructions, smActiveCycles;   // by SM: warp instructions issued; cycles with a warp
  ByUnit sliceAccesses, sliceAtomicTicks;  // by L2 slice; ticks of L2 in which its atomics unit worked
  ByUnit channelBytes, channelBusyTicks;   // by DRAM channel: bytes moved; ticks of the command clock with data on the bus

  // As statistics list their fields (stats/statistics.hpp), each with its name for JSON.
  static void fields(auto&& field) {
    using U = UnitLoads;
    field("sm_warp_instructions", &U::smInstructions);
    field("sm_active_cycles", &U::smActiveCycles);
    field("slice_accesses", &U::sliceAccesses);
    field("slice_atomic_ticks", &U::sliceAtomicTicks);
    field("channel_moved_bytes", &U::channelBytes);
    field("channel_busy_ticks", &U::channelBusyTicks);
  }
};

// Sums, unit by unit.
void merge(UnitLoads& into, const UnitLoads& from);
// later - earlier; an earlier one without units counts as zeros.
UnitLoads delta(const UnitLoads& later, const UnitLoads& earlier);
stats::Json toJson(const UnitLoads& loads);

// The unit with most of it, and how many times the mean that is; of no units, or where all did nothing, 0 times.
struct Most {
  std::size_t unit = 0;
  u64 count = 0;
  double timesMean = 0;
};
Most mostOf(const ByUnit& counts);

}  // namespace warpwright::machines
