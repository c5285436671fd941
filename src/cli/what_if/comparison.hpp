// What a kernel takes without one of the machine's limits, beside what it takes.
#pragma once

#include <string>
#include <vector>

#include "cli/what_if/runs.hpp"

namespace warpwright::cli {

// Adds to each timed kernel of the profile, under "timing", "what_if": for each run its name, settings, cycles and share of the kernel's
// own.
void addWhatIfs(stats::Json& profile, const std::vector<WhatIfRun>& runs);

// Of a profile with them. kernel: of kernels with this in their names alone.
std::string whatIfTable(const stats::Json& profile, const std::vector<WhatIfRun>& runs, const std::string& kernel);

}  // namespace warpwright::cli
