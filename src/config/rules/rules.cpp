#include "config/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
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

namespace {

// Of a section, or of a policy chosen in it, as "l1d.ship".
bool liesIn(std::string_view name, std::span<const std::string_view> sections) {
  return std::any_of(sections.begin(), sections.end(), [&](std::string_view section) {
    return name == section || (name.starts_with(section) && name.substr(section.size()).starts_with('.'));
  });
}

bool isOf(const Rule& rule, std::span<const std::string_view> sections) {
  return std::all_of(rule.keys.begin(), rule.keys.end(), [&](const std::string& key) { return liesIn(findField(key)->section, sections); });
}

}  // namespace

void validateSections(const Machine& machine, std::span<const std::string_view> sections) {
  for (const Section& section : config::sections()) {
    if (!liesIn(section.name, sections) || (section.policy != nullptr && !isChosen(section, machine))) continue;
    for (const Field& field : section.fields) {
      if (const auto problem = field.problem(machine)) throw Error(*problem);
    }
  }
  for (const Rule& rule : rules()) {
    if (isOf(rule, sections) && !rule.holds(machine)) throw Error(rule.problem(machine));
  }
}

void validate(const Cache& cache, std::string_view section) {
  Machine machine;
  machine.*cacheOfSection(section) = cache;
  validateSections(machine, std::span(&section, 1));
}

void validate(const Dram& dram) {
  constexpr std::string_view kSections[] = {"dram"};
  Machine machine;
  machine.dram = dram;
  validateSections(machine, kSections);
}

std::vector<const Rule*> brokenRules(const Machine& machine) {
  std::vector<const Rule*> result;
  for (const Rule& rule : rules()) {
    if ((machine.timed || !rule.timed) && !rule.holds(machine)) result.push_back(&rule);
  }
  return result;
}

}  // namespace warpwright::config
