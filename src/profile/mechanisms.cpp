#include "profile/mechanisms.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpwright::profile {
namespace {

std::string valueText(const stats::AnyStatistics::Number& number) {
  if (!number.value) return "-";
  const bool isWhole = *number.value == std::floor(*number.value);
  return isWhole ? fmt::format("{:.0f}", *number.value) : fmt::format("{:.4g}", *number.value);
}

}  // namespace

void appendMechanisms(TextPage& page, const stats::NamedStatistics& mechanisms) {
  mechanisms.forEach([&](const std::string& name, const stats::AnyStatistics& statistics) {
    page.heading("Mechanism " + name);
    statistics.forEachNumber(
        [&](const stats::AnyStatistics::Number& number) { page.row("  {:<36}{:>14}   {}", number.name, valueText(number), number.unit); });
  });
}

}  // namespace warpwright::profile
