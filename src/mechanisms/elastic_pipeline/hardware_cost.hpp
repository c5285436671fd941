// What the elastic pipeline adds to an SM (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", table 5.2).
#pragma once

#include "mechanisms/elastic_pipeline/settings.hpp"

namespace warpwright::mechanisms::elastic_pipeline {

struct HardwareCost {
  u64 latches = 0;            // pipeline latches, each of one lane
  u32 writeBackInputs = 0;    // of the multiplexer before write-back: complexity inputs - 1
  u32 firstMemoryInputs = 0;  // of that before the first memory stage
};

constexpr HardwareCost hardwareCost(Depths depths, u32 lanes) {
  return {u64{depths.nonmem + depths.premem} * lanes, depths.nonmem + 3, depths.premem + 1};
}

}  // namespace warpwright::mechanisms::elastic_pipeline
