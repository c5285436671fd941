// Regions in straight lines: what computes long, as much of what belongs to it as a few words allow.
#pragma once

#include <functional>

#include "compiler/regions/region_values.hpp"

namespace warpwright::compiler {

struct RegionSearch {
  // The instructions for whose sake a region is there.
  std::function<bool(const ptx::Instruction&)> isWanted;
  u32 leastWork = 0, mostWords = 0;  // of keys, and of results
};

// Puts the instructions of each region one behind the other, within their straight lines: what they need before them, what needs them
// behind. Where the regions are then, in the order of the text.
std::vector<Stretch> gatherRegions(ptx::Function& kernel, const RegionSearch& search);

}  // namespace warpwright::compiler
