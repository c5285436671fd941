#include "config/rules.hpp"

#include <fmt/format.h>

#include "config/fields.hpp"
#include "config/rules/lists.hpp"

namespace warpwright::config {
namespace {

std::vector<Rule> makeRules() {
  std::vector<Rule> result;
  for (const auto list : {smRules, pipelineRules, cacheRules, partitionRules, networkRules, dramRules}) {
    for (Rule& rule : list()) result.push_back(std::move(rule));
  }
  return result;
}

}  // namespace

std::span<const Rule> rules() {
  static const std::vector<Rule> all = makeRules();
  return all;
}

std::string Rule::problem(const Machine& machine) const {
  std::vector<std::string> values;
  for (const std::string& key : keys) values.push_back(fmt::format("{} = {}", key, findField(key)->valueText(machine)));
  return fmt::format("{}: {}{}", fmt::join(values, ", "), text, why ? ": " + why(machine) : "");
}

std::vector<const Rule*> brokenRules(const Machine& machine) {
  std::vector<const Rule*> result;
  for (const Rule& rule : rules()) {
    if ((machine.timed || !rule.timed) && !rule.holds(machine)) result.push_back(&rule);
  }
  return result;
}

}  // namespace warpwright::config
