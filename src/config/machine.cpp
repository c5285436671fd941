#include "config/machine.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "config/fields.hpp"

namespace warpwright::config {

std::vector<FieldInfo> machineFields() {
  const Machine defaults;
  std::vector<FieldInfo> result;
  for (const Field& field : fields()) {
    result.push_back({field.key(), std::string(field.unit), field.rangeText(), std::string(field.text), field.valueText(defaults)});
  }
  return result;
}

void validate(const Machine& machine) {
  for (const Field& field : fields()) {
    if (const auto problem = field.problem(machine)) throw Error("machine '" + machine.name + "': " + *problem);
  }
  for (const CrossCheck& check : crossChecks()) {
    if (!check.holds(machine)) throw Error(fmt::format("machine '{}': {} {}", machine.name, check.key, check.text));
  }
}

std::string toToml(const Machine& machine) {
  std::string result;
  std::string_view section;
  for (const Field& field : fields()) {
    if (field.section != section) result += fmt::format("\n[{}]\n", field.section);
    section = field.section;
    result += fmt::format("{} = {}\n", field.name, field.valueText(machine));
  }
  return result;
}

std::string machineReference() {
  std::string result =
      "# Machine files\n\n"
      "A machine is a TOML file. `warpwright run --machine NAME` takes a file of the presets' folder (`configs/`) by its stem, or any "
      "path\n"
      "that contains a slash or ends in `.toml`. A key that is absent keeps its default; an unknown key is an error. The environment "
      "variable\n"
      "`WARPWRIGHT_CONFIGS` names another folder of presets.\n\n"
      "This page is generated from the field list in `src/config/fields.cpp` by `machine-reference`.\n";
  std::string_view section = "-";
  for (const Field& field : fields()) {
    if (field.section != section) {
      result += field.section.empty() ? "\n## Top level\n" : fmt::format("\n## [{}]\n", field.section);
      result += "\n| key | unit | range | default | meaning |\n|---|---|---|---|---|\n";
    }
    section = field.section;
    result +=
        fmt::format("| `{}` | {} | {} | `{}` | {} |\n", field.name, field.unit, field.rangeText(), field.valueText(Machine{}), field.text);
  }
  result += "\n## Rules between fields\n\n";
  for (const CrossCheck& check : crossChecks()) result += fmt::format("- `{}`: {}.\n", check.key, check.text);
  return result;
}

}  // namespace warpwright::config
