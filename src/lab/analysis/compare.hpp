// What differs between two experiments. Runs are deterministic: any difference is real.
#pragma once

#include <string>
#include <vector>

#include "lab/store/store.hpp"

namespace warpwright::lab {

struct MetricChange {
  std::string metric;
  double before = 0, after = 0;
};

// Two runs at the same point: program, machine, parameters.
struct RunChange {
  std::string point, kernel;          // kernel: empty for the run as a whole
  std::vector<std::string> causes;    // what the runs are made of that differs: program, machine, simulator, arguments or options
  std::string note;                   // states that differ, kernels that only one has
  std::vector<MetricChange> metrics;  // the largest relative change first
};

struct Comparison {
  u64 same = 0;                                  // runs at the same point with the same statistics
  u64 without = 0;                               // runs at the same point that have none, on either side
  std::vector<std::string> onlyLeft, onlyRight;  // points
  std::vector<RunChange> changes;
};

Comparison compare(Store& left, const ExperimentInfo& leftExperiment, Store& right, const ExperimentInfo& rightExperiment);

// `most` metrics a kernel; 0: all.
std::string asText(const Comparison& comparison, u64 most);

}  // namespace warpwright::lab
