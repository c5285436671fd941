// Figures computed from counters. Nothing when there is nothing to divide by.
#pragma once

#include "profile/counters.hpp"
#include "profile/kernel_profile.hpp"
#include "stats/formula.hpp"
#include "stats/json_type.hpp"

namespace warpwright::profile {

using stats::Ratio;

// Mean active lanes over the warp size; the second counts only lanes whose guard holds.
Ratio simdEfficiency(const Counters& counters, u32 warpSize);
Ratio simdEfficiencyPredicated(const Counters& counters, u32 warpSize);
Ratio divergentShare(const Counters& counters);

Ratio sectorsPerRequest(const Traffic& traffic);
Ratio sectorEfficiency(const Traffic& traffic);  // bytes used over bytes moved, 32 B sectors
Ratio lineEfficiency(const Traffic& traffic);    // … 128 B lines
Ratio meanDegree(const BankTraffic& traffic);    // passes per phase

// Every derived figure of a kernel or line.
stats::Json derivedJson(const Counters& counters, u32 warpSize);

}  // namespace warpwright::profile
