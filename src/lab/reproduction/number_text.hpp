// Numbers of pages: whole ones in full, others with three digits.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/types.hpp"

namespace warpwright::lab {

inline std::string numberText(double value, const std::string& unit) {
  const bool isWhole = std::floor(value) == value;
  return (isWhole ? fmt::format("{}", static_cast<s64>(value)) : fmt::format("{:.3g}", value)) + (unit.empty() ? "" : " " + unit);
}

}  // namespace warpwright::lab
