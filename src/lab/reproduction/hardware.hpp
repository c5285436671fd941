// What structures take of a chip, for published values that need no run.
#pragma once

#include <optional>
#include <string>

#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

// An expression over
//   MECHANISM.NUMBER  what a mechanism of the machine says of itself (mechanisms/hardware.hpp)
//   bytes.UNIT        of the arrays of a unit of the account of energy (docs/energy.md) or of a mechanism, all of the chip
//   area.UNIT         of the same, in square millimetres, by the estimator in the node of the paper's table of energies
//   leakage.UNIT      in watts
// with hyphens of names as underscores. `machine`: the paper's of that name, or else the preset. Nothing: it has no such thing. Throws
// Error for an unknown machine.
std::optional<double> hardwareValue(const Paper& paper, const std::string& machine, const std::string& expression);

}  // namespace warpwright::lab
