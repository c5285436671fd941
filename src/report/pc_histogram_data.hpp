// What the page shows of a kernel's PC histogram, as JSON.
#pragma once

#include "report/json.hpp"

namespace warpwright::report {

// `timing.pc_histogram` of a profile as the page has it: each launch with its own `interval` in place of that of the whole. Neighbouring
// samples are made one, with the mean of their threads, until no launch has more than `mostSamples`.
Json pcHistogramOf(Json recorded, std::size_t mostSamples);

}  // namespace warpwright::report
