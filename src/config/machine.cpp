#include "config/machine.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "config/rules.hpp"

namespace warpwright::config {

std::vector<FieldInfo> machineFields() {
  const Machine defaults;
  std::vector<FieldInfo> result;
  for (const Field* field : fields()) {
    result.push_back({field->key(), std::string(field->unit), field->rangeText(), field->text, field->valueText(defaults)});
  }
  return result;
}

void validate(const Machine& machine) {
  for (const Section& section : sections()) {
    if (!applies(section, machine)) continue;
    for (const Field& field : section.fields) {
      if (const auto problem = field.problem(machine)) throw Error("machine '" + machine.name + "': " + *problem);
    }
  }
  const auto broken = brokenRules(machine);
  if (!broken.empty()) throw Error(fmt::format("machine '{}': {}", machine.name, broken.front()->problem(machine)));
  for (const auto& [kind, settings] : machine.mechanisms.all()) {
    if (const auto problem = problemOf(*kind, settings, machine)) throw Error(fmt::format("machine '{}': {}", machine.name, *problem));
  }
  for (const PolicyProblem& problem : policyProblems(machine)) throw Error(fmt::format("machine '{}': {}", machine.name, problem.text));
}

void requireTimed(const Machine& machine) {
  if (machine.timed) return;
  std::vector<std::string> missing;
  for (const Section& section : sections()) {
    if (section.required) missing.push_back("[" + section.name + "]");
  }
  throw Error(fmt::format("the machine '{}' is functional only: it has no {}", machine.name, fmt::join(missing, ", ")), {},
              "choose a timed machine, as gtx480 (`warpwright machines` lists them), or add the sections (docs/machines.md)");
}

std::string toToml(const Machine& machine) {
  std::string result;
  for (const Section& section : sections()) {
    if (!applies(section, machine)) continue;
    if (!section.name.empty()) result += fmt::format("\n[{}]\n", section.name);
    for (const Field& field : section.fields) result += fmt::format("{} = {}\n", field.name, field.valueText(machine));
  }
  return result;
}

u64 hashOf(const Machine& machine) {
  u64 hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits
  for (const char c : toToml(machine)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace warpwright::config
