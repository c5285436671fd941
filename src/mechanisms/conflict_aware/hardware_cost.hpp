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

// What an entry holds beside its tag: a value (table 5.3), and what the other predictors need besides.
constexpr u32 entryBits(Predictor predictor, u32 valueBits) {
  switch (predictor) {
    case Predictor::confidence:  // a two-bit counter
    case Predictor::mean:        // two bits of a fraction
      return valueBits + 2;
    case Predictor::twoLevel:  // a value for each history of two times two bits
      return 16 * valueBits + 4;
    default:
      return valueBits;
  }
}

// warpSize: a power of two, as are the sets; no sets, no cache, nor has the oracle one.
constexpr HardwareCost hardwareCost(const Settings& settings, u32 warpSize, u32 warps) {
  const u32 valueBits = static_cast<u32>(std::countr_zero(warpSize));
  const u32 sets = settings.predictor == Predictor::oracle ? 0 : settings.sets;
  const u32 tagBits = sets == 0 ? 0 : settings.pcBits - std::min(settings.pcBits, u32(std::countr_zero(sets)));
  return {u64{sets} * settings.ways * (entryBits(settings.predictor, valueBits) + tagBits), 2 * warps, valueBits};
}

}  // namespace warpwright::mechanisms::conflict_aware
