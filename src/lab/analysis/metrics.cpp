#include "lab/analysis/metrics.hpp"

#include <algorithm>

#include "machines/metrics.hpp"
#include "spe/statistics_text.hpp"

namespace warpwright::lab {
namespace {

// The program is a single kernel there, so that all of them are sums.
constexpr std::string_view kOfSpe = "spe.";

std::vector<std::string> listNames() {
  std::vector<std::string> names = machines::metricNames();
  const stats::Json ofSpe = spe::jsonOf(spe::Statistics{});
  for (const auto& [name, value] : ofSpe.items()) {
    if (!value.is_object()) names.push_back(std::string(kOfSpe) + name);
    if (value.is_object())
      for (const auto& [member, number] : value.items()) names.push_back(std::string(kOfSpe) + name + "." + member);
  }
  return names;
}

}  // namespace

const std::vector<std::string>& metricNames() {
  static const std::vector<std::string> names = listNames();
  return names;
}

bool isMetric(const std::string& name) {
  return machines::isMetric(name) || (name.starts_with(kOfSpe) && std::ranges::find(metricNames(), name) != metricNames().end());
}

bool isCounter(const std::string& name) { return machines::isCounter(name) || (name.starts_with(kOfSpe) && isMetric(name)); }

}  // namespace warpwright::lab
