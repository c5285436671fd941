// What conflict-aware scheduling adds to an SM (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", table 5.3).
#pragma once

#include <algorithm>
#include <bit>

#include "mechanisms/conflict_aware/settings.hpp"

namespace warpwright::mechanisms::conflict_aware {

struct HardwareCost {
  u64 historyCacheBits = 0;  // tags and values; dual-ported
  u32 gates = 0;             // AND and NAND gates
  u32 counterBits = 0;       // each of the accumulator, the counter and the comparator; a 2-to-1 multiplexer beside them
};

// For predictors with one value an instruction. warpSize: a power of two, as are the sets; no sets, no cache.
constexpr HardwareCost hardwareCost(const Settings& settings, u32 warpSize, u32 warps) {
  const u32 valueBits = static_cast<u32>(std::countr_zero(warpSize));
  const u32 tagBits = settings.sets == 0 ? 0 : settings.pcBits - std::min(settings.pcBits, u32(std::countr_zero(settings.sets)));
  return {u64{settings.sets} * settings.ways * (valueBits + tagBits), 2 * warps, valueBits};
}

}  // namespace warpwright::mechanisms::conflict_aware
