#pragma once

#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::conflict_aware {

struct Statistics {
  u64 accesses = 0, unknown = 0, exact = 0, tooFew = 0, tooMany = 0, cyclesNeeded = 0, cyclesForeseen = 0, cyclesUnforeseen = 0,
      violations = 0;
  stats::Peak historyCacheBits, maskGates, counterBits;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("accesses", "warp instructions", "that were foreseen and have been served", &S::accesses);
    field("unknown", "warp instructions", "that the history cache did not know", &S::unknown);
    field("exact", "warp instructions", "that needed the banks as long as foreseen", &S::exact);
    field("too_few", "warp instructions", "that needed them longer", &S::tooFew);
    field("too_many", "warp instructions", "that needed them less long", &S::tooMany);
    field("cycles_needed", "cycles", "of the banks, beyond one a sub-warp", &S::cyclesNeeded);
    field("cycles_foreseen", "cycles", "the same as foreseen", &S::cyclesForeseen);
    field("cycles_unforeseen", "cycles", "needed beyond what was foreseen, summed over the instructions that needed more",
          &S::cyclesUnforeseen);
    field("violations", "warp instructions", "let issue though the banks were taken, because nothing else could", &S::violations);
    field("history_cache_bits", "bits", "of an SM's history cache, tags and what the predictor keeps (Gou, table 5.3)",
          &S::historyCacheBits);
    field("mask_gates", "gates", "AND and NAND gates of an SM's memory-warp mask (table 5.3)", &S::maskGates);
    field("counter_bits", "bits", "each of an SM's accumulator, counter and comparator (table 5.3)", &S::counterBits);
  }
  static constexpr void figures(auto&& figure) {
    using S = Statistics;
    figure("accuracy", "share of accesses", "foreseen exactly", [](const S& s) { return stats::ratio(s.exact, s.accesses); });
    figure("known", "share of accesses", "that the history cache knew",
           [](const S& s) { return stats::ratio(s.accesses - s.unknown, s.accesses); });
  }
};

}  // namespace warpwright::mechanisms::conflict_aware
