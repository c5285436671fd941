// Figures derived from counters.
#pragma once

#include <optional>

#include "base/types.hpp"

namespace warpwright::stats {

// Nothing when there is nothing to divide by: reports print "-" and JSON says null, never 0 or infinity.
using Ratio = std::optional<double>;

inline Ratio ratio(u64 numerator, u64 denominator) {
  if (denominator == 0) return std::nullopt;
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

}  // namespace warpwright::stats
