// What the elastic MSHRs add to the vector MSHRs of an SM (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", table 6.1).
#pragma once

#include "stats/statistics.hpp"

namespace warpwright::mechanisms::elastic_mshr {

// Of one SM: peaks, as they are the same for all.
struct HardwareCost {
  stats::Peak and2, and3, comparators3, norInputs, tagBits;

  static constexpr void fields(auto&& field) {
    using S = HardwareCost;
    field("and2", "gates", "AND gates of two inputs", &S::and2);
    field("and3", "gates", "AND gates of three inputs", &S::and3);
    field("comparators3", "comparators", "of three bits", &S::comparators3);
    field("nor_inputs", "inputs", "of one NOR gate", &S::norInputs);
    field("tag_bits", "bits", "of the fields of the hyper block size", &S::tagBits);
  }
  bool operator==(const HardwareCost&) const = default;
};

// Fully associative, with hyper blocks of two, four and eight normal blocks.
constexpr HardwareCost hardwareCost(u32 entries) { return {{6 * entries}, {entries}, {entries}, {entries}, {2 * entries}}; }

}  // namespace warpwright::mechanisms::elastic_mshr
