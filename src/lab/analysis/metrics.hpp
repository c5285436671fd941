// What the columns of an experiment can use: the numbers of a kernel on a GPU (machines/metrics.hpp), and those of a program on an SPE.
#pragma once

#include <string>
#include <vector>

namespace warpwright::lab {

// In the order in which JSON has them; without the bins of histograms, which only a run shows.
const std::vector<std::string>& metricNames();
// One of metricNames(), or a bin of a histogram among them.
bool isMetric(const std::string& name);
// One that may be summed over the kernels of a program.
bool isCounter(const std::string& name);

}  // namespace warpwright::lab
