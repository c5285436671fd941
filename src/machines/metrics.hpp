// The names of metrics: the dotted paths of the numbers that a kernel has in the JSON of `warpwright run --json`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright::machines {

// Every metric of a timed run, in the order of the JSON. Bins of histograms are left out: which there are, only a run shows.
const std::vector<std::string>& metricNames();
// One of metricNames(), or a bin of a histogram among them.
bool isMetric(const std::string& name);
// A bin of a histogram among them: a kernel that has none there does not list it.
bool isBin(const std::string& name);
// A metric that may be summed over kernels: a count, no ratio, no mean, no property of a kernel.
bool isCounter(const std::string& name);

}  // namespace warpwright::machines
