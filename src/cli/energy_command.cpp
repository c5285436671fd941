// `warpwright energy`: the tables of energies, what each event costs on a machine, and calibration.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/simulation_options.hpp"
#include "config/machine.hpp"
#include "energy/calibration.hpp"
#include "energy/event_energies.hpp"
#include "energy/events.hpp"
#include "energy/table_files.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kEnergyExamples =
    "Examples:\n"
    "  warpwright energy                           the tables\n"
    "  warpwright energy costs 40nm --machine gtx480\n"
    "  warpwright energy calibrate measured.csv --base 40nm > my.toml\n"
    "  warpwright run --machine gtx480 --energy my.toml ./app\n";

struct Costs {
  std::string table, machine = "gtx480";
  std::vector<std::string> overrides;
};

struct Fit {
  std::string file, base = "40nm";
};

void printTables() {
  for (const std::string& name : energy::tableNames()) fmt::print("{:<8}{}\n", name, energy::loadTable(name).description);
}

void printCosts(const Costs& costs) {
  const config::Machine machine = config::loadMachine(costs.machine, costs.overrides);
  config::requireTimed(machine);
  const energy::Table table = energy::loadTable(costs.table);
  const energy::EventEnergies energies(table, machine);
  fmt::print("Picojoules on {} with table {}, {:g} nm\n", machine.name, table.name, table.nanometres);
  fmt::print("{:<28}{:<20}{:>12}{:>12}{:>12}\n", "event", "one", "low", "value", "high");
  for (const energy::Event& event : energy::events()) {
    const energy::Energy* each = energies.find(event.path());
    if (each == nullptr) continue;
    fmt::print("{:<28}{:<20}{:>12.4g}{:>12.4g}{:>12.4g}\n", event.path(), event.per, each->low / energy::kPico, each->value / energy::kPico,
               each->high / energy::kPico);
  }
}

// A table of one's own, with the residuals in front.
void printFit(const Fit& fit) {
  const energy::Calibration found = energy::calibrate(energy::parseMeasurements(readFile(fit.file), fit.file));
  energy::loadTable(fit.base);
  fmt::print(
      "# Factors fitted to {} (docs/energy.md, calibration). Error of the model with them: {:.1f} % on average, {:.1f} % at worst.\n",
      fit.file, 100 * found.meanError(), 100 * found.worstError());
  fmt::print("#\n# {:<30}{:>12}{:>12}{:>12}{:>9}\n", "benchmark", "measured W", "without", "with", "error");
  for (const energy::Residual& each : found.residuals)
    fmt::print("# {:<30}{:>12.2f}{:>12.2f}{:>12.2f}{:>8.1f}%\n", each.benchmark, each.measured, each.before, each.after,
               100 * each.error());
  fmt::print("base = \"{}\"\ndescription = \"{}, calibrated with {}\"\nnanometres = {:g}\n\n[factor]\n", fit.base, fit.base, fit.file,
             energy::loadTable(fit.base).nanometres);
  for (const energy::ComponentFactor& each : found.factors) fmt::print("\"{}\" = {:.6g}\n", each.component, each.factor);
}

}  // namespace

void addEnergy(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("energy", "List the tables of energies, show what events cost on a machine, or calibrate");
  command->require_subcommand(0, 1);
  command->footer(kEnergyExamples);

  CLI::App* costs = command->add_subcommand("costs", "What each event costs on a machine");
  auto costsOf = std::make_shared<Costs>();
  costs->add_option("table", costsOf->table, "Table of energies")->type_name("NAME|FILE.toml")->required();
  costs->add_option("-m,--machine", costsOf->machine, "Machine, whose arrays and DRAM are priced; default gtx480")
      ->type_name("NAME|FILE.toml");
  addOverrides(*costs, costsOf->overrides);

  CLI::App* fit = command->add_subcommand("calibrate", "Fit factors to measured power; prints a table of energies");
  auto fitOf = std::make_shared<Fit>();
  fit->add_option("file", fitOf->file, "Measured and modelled power of micro-benchmarks (docs/energy.md)")
      ->type_name("FILE.csv")
      ->required();
  fit->add_option("--base", fitOf->base, "The table that the model used; default 40nm")->type_name("NAME|FILE.toml");

  command->callback([command, costs, fit, costsOf, fitOf, &status] {
    if (command->got_subcommand(costs)) {
      printCosts(*costsOf);
    } else if (command->got_subcommand(fit)) {
      printFit(*fitOf);
    } else {
      printTables();
    }
    status = 0;
  });
}

}  // namespace warpwright::cli
