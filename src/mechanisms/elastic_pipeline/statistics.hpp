#pragma once

#include "stats/statistics.hpp"

namespace warpwright::mechanisms::elastic_pipeline {

struct Statistics {
  u64 bypassed = 0, queuedNonmem = 0, queuedPremem = 0;
  stats::Peak mostNonmem, mostPremem, latches, writeBackInputs, firstMemoryInputs;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("bypassed", "sub-warps", "without memory access, from the last execution stage to write-back at once", &S::bypassed);
    field("queued_nonmem", "sub-warps", "without memory access, through the NONMEM queue", &S::queuedNonmem);
    field("queued_premem", "sub-warps", "with memory access, through the PREMEM queue", &S::queuedPremem);
    field("most_nonmem", "sub-warps", "in the NONMEM queue at once", &S::mostNonmem);
    field("most_premem", "sub-warps", "in the PREMEM queue at once", &S::mostPremem);
    field("latches", "latches of a lane", "that an SM has more for its queues (Gou, table 5.2)", &S::latches);
    field("write_back_inputs", "inputs", "of the multiplexer before write-back (table 5.2)", &S::writeBackInputs);
    field("first_memory_inputs", "inputs", "of the multiplexer before the first memory stage (table 5.2)", &S::firstMemoryInputs);
  }
};

}  // namespace warpwright::mechanisms::elastic_pipeline
