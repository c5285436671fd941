// What the elastic MSHRs add to the vector MSHRs of an SM (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", table 6.1).
#pragma once

#include "base/types.hpp"

namespace warpwright::mechanisms::elastic_mshr {

struct HardwareCost {
  u32 and2 = 0, and3 = 0, comparators3 = 0;  // gates of two and three inputs, comparators of three bits
  u32 norInputs = 0;                         // of one NOR gate
  u32 tagBits = 0;                           // of the fields of the hyper block size
};

// Fully associative, with hyper blocks of two, four and eight normal blocks.
constexpr HardwareCost hardwareCost(u32 entries) { return {6 * entries, entries, entries, entries, 2 * entries}; }

}  // namespace warpwright::mechanisms::elastic_mshr
