// Scale factors that bring the model to measured power: the method of Kandiah and others, "AccelWattch: A Power Modeling Framework for
// Modern GPUs" (MICRO 2021), section 5, in its kind: one factor a component, not negative, by least squares of relative errors over
// micro-benchmarks. docs/energy.md says what it can and cannot do.
#pragma once

#include <string>
#include <vector>

#include "energy/measurements.hpp"

namespace warpwright::energy {

struct ComponentFactor {
  std::string component;
  double factor = 1;
};

struct Residual {
  std::string benchmark;
  double measured = 0, before = 0, after = 0;  // watts; the model without and with the factors

  // Of the model over what was measured: 0.1 is a tenth too much.
  double error() const { return after / measured - 1; }
};

struct Calibration {
  std::vector<ComponentFactor> factors;  // in the order of the columns
  std::vector<Residual> residuals;       // in the order of the rows

  double meanError() const;   // of the absolute values
  double worstError() const;  // the largest absolute value
};

// Throws Error when there are fewer benchmarks than components, and for a component that the benchmarks do not tell from the others.
Calibration calibrate(const Measurements& measurements);

}  // namespace warpwright::energy
