// Cycles of which a part is extrapolated, as text and as data.
#pragma once

#include <string>

#include "profile/text_page.hpp"
#include "sampling/groups.hpp"
#include "stats/estimate.hpp"
#include "stats/json_type.hpp"

namespace warpwright::machines {

// "12.3 M ± 1.2 %"; without an interval where none is known.
std::string estimateText(const stats::Estimate& cycles);
// The cycles, whether they are extrapolated, and the interval of 95 %: null where it is not known.
stats::Json estimateJson(const stats::Estimate& cycles);

// What was timed of launches, and why not less.
void appendSampled(profile::TextPage& page, const sampling::Sampled& sampled);
stats::Json sampledJson(const sampling::Sampled& sampled);

}  // namespace warpwright::machines
