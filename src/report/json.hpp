// JSON as the page's data is written.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/types.hpp"

namespace warpwright::report {

using Json = nlohmann::ordered_json;

// Whole numbers without a decimal point: data is mostly counts.
inline Json numberJson(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  return std::floor(value) == value && std::abs(value) <= kExact ? Json(static_cast<s64>(value)) : Json(value);
}

}  // namespace warpwright::report
