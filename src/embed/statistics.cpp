// What a Simulator has counted.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "embed/state.hpp"
#include "machines/metrics.hpp"
#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"

namespace warpwright {
namespace {

using Json = nlohmann::ordered_json;

Json dataOf(runtime::Device& device) {
  Json all = device.profile().data();
  device.timing().addTo(all, device.profile());
  return all;
}

// The number at "a.b.c". Of a figure without a value the path exists, and its number does not.
struct Found {
  bool exists = false;
  std::optional<double> number;
};

Found numberAt(const Json& object, const std::string& path) {
  const Json* value = &object;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const auto member = value->is_object() ? value->find(path.substr(begin, dot - begin)) : value->end();
    if (member == value->end()) return {};
    value = &*member;
    begin = dot + 1;
  }
  if (value->is_null()) return {true, std::nullopt};
  if (!value->is_number()) return {};
  return {true, value->get<double>()};
}

}  // namespace

std::string Simulator::statistics() const { return dataOf(state_->device).dump(2); }

std::optional<double> Simulator::statistic(const std::string& kernel, const std::string& path) const {
  const FoundKernel found = state_->find(kernel);
  const Json all = dataOf(state_->device);
  for (const Json& each : all.at("kernels")) {
    if (each.at("name") != found.function->name) continue;
    if (const Found at = numberAt(each, path); at.exists) return at.number;
  }
  requireStatistic(path);
  return std::nullopt;
}

void requireStatistic(const std::string& path) {
  if (machines::isMetric(path)) return;
  const std::string nearest = nearestName(path, machines::metricNames());
  throw Error(fmt::format("there is no statistic '{}'", path), {},
              nearest.empty() ? "`warpwright lab metrics` lists them" : fmt::format("did you mean '{}'?", nearest));
}

std::vector<std::string> statisticNames() { return machines::metricNames(); }

}  // namespace warpwright
