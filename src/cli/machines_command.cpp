// `warpwright machines`: the presets, one of them in full, or the list of fields.
#include <fmt/format.h>

#include <algorithm>

#include "cli/app.hpp"
#include "cli/simulation_options.hpp"
#include "config/machine.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kMachinesExamples =
    "Examples:\n"
    "  warpwright machines                     the presets\n"
    "  warpwright machines gtx480              one machine, every field resolved\n"
    "  warpwright machines gtx480 --set l1d.ways=8 --set l1d.bytes=32768\n"
    "  warpwright machines gtx480 > my.toml    a file to change: warpwright run --machine my.toml ./app\n"
    "  warpwright machines --fields            what every field means, its unit and its range\n";

struct MachinesChoice {
  std::string name;
  std::vector<std::string> overrides;
  bool fields = false, names = false;
};

void printPresets(bool namesOnly) {
  auto machines = config::presetMachines();
  std::sort(machines.begin(), machines.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::size_t width = 0;
  for (const auto& machine : machines) width = std::max(width, machine.name.size());
  for (const auto& machine : machines)
    fmt::print("{}\n", namesOnly ? machine.name : fmt::format("{:<{}}  {}", machine.name, width, machine.description));
}

void printFields() {
  for (const auto& field : config::machineFields()) {
    const std::string unit = field.unit.empty() ? "" : ", " + field.unit;
    fmt::print("{}\n    {}\n    {}{}; default {}\n", field.key, field.text, field.range, unit, field.defaultValue);
  }
}

void print(const MachinesChoice& choice) {
  if (choice.fields) return printFields();
  if (!choice.name.empty()) return fmt::print("{}", config::toToml(config::loadMachine(choice.name, choice.overrides)));
  printPresets(choice.names);
}

}  // namespace

void addMachines(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("machines", "List the machines that can be simulated, or show one of them");
  auto choice = std::make_shared<MachinesChoice>();
  command->add_option("name", choice->name, "Preset or file to show in full")->type_name("NAME|FILE.toml");
  addOverrides(*command, choice->overrides);
  command->add_flag("--fields", choice->fields, "Explain every field of a machine file");
  command->add_flag("--names", choice->names, "Only the presets' names, one a line");
  command->footer(kMachinesExamples);
  command->callback([choice, &status] {
    print(*choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
