// Measured power of micro-benchmarks, and what the model says of each: the input of calibration.
#pragma once

#include <string>
#include <vector>

namespace warpwright::energy {

struct Measurement {
  std::string benchmark;
  double watts = 0;              // measured
  std::vector<double> modelled;  // watts of each component, as the account has them before calibration
};

struct Measurements {
  std::vector<std::string> components;  // units, or paths of events
  std::vector<Measurement> rows;
};

// A CSV whose first line is `benchmark,watts,COMPONENT,…`; lines that begin with # are comments. Throws Error with file, line, cause,
// remedy.
Measurements parseMeasurements(const std::string& csv, const std::string& fileName);

}  // namespace warpwright::energy
