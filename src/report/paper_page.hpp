// A paper's evaluation beside ours as one HTML file that opens without network or server (docs/report.md, "A paper's evaluation").
#pragma once

#include <string>
#include <vector>

#include "lab/reproduction/comparison.hpp"

namespace warpwright::report {

struct PaperRun {
  std::string size;         // of the workloads
  std::size_t planned = 0;  // how many comparisons there will be in the end
};

// The page with the comparisons that there are so far.
std::string pageOf(const lab::Paper& paper, const std::vector<lab::ItemComparison>& comparisons, const PaperRun& run);

}  // namespace warpwright::report
