// Conflict degrees and hardware cost of bank maps (docs/bank-maps.md), for published values that are no simulation's.
#pragma once

#include <optional>
#include <string>

namespace warpwright::lab {

// `map` as `warpwright banks --scheme` takes it, with q and n; `pattern` as --pattern. `name`: "worst" or "mean", degrees;
// or a part of the hardware, as hardwareCostOf() names it. Nothing for others.
// Throws std::invalid_argument for a map or a pattern that is none.
std::optional<double> bankMapValue(const std::string& map, const std::string& pattern, const std::string& name);

}  // namespace warpwright::lab
