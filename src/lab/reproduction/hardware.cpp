#include "lab/reproduction/hardware.hpp"

#include <algorithm>

#include "energy/machine_arrays.hpp"
#include "energy/table.hpp"
#include "lab/analysis/expression.hpp"
#include "lab/reproduction/settings.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::lab {
namespace {

using mechanisms::Hardware;

// Of the machine's mechanism whose name this is with underscores.
std::optional<Hardware> hardwareOf(const config::Machine& machine, const std::string& name) {
  for (const mechanisms::Kind* kind : mechanisms::catalogue()) {
    std::string own(kind->description.name);
    std::replace(own.begin(), own.end(), '-', '_');
    const std::any* settings = machine.mechanisms.find(kind->description.name);
    if (own == name && settings != nullptr && kind->hardware != nullptr) return kind->hardware(*settings, machine);
  }
  return std::nullopt;
}

std::optional<double> numberOf(const config::Machine& machine, const std::string& mechanism, const std::string& name) {
  const std::optional<Hardware> hardware = hardwareOf(machine, mechanism);
  if (!hardware) return std::nullopt;
  for (const mechanisms::HardwareNumber& each : hardware->numbers)
    if (each.name == name) return each.value;
  return std::nullopt;
}

std::optional<energy::Footprint> footprintOf(const config::Machine& machine, const std::string& unit, double nanometres) {
  const std::optional<Hardware> hardware = hardwareOf(machine, unit);
  const energy::Arrays arrays = hardware ? hardware->arrays : energy::arraysOf(unit, machine);
  return arrays.instances == 0 ? std::nullopt : std::optional(energy::footprintOf(arrays, nanometres));
}

}  // namespace

std::optional<double> hardwareValue(const Paper& paper, const std::string& machine, const std::string& expression) {
  const config::Machine chosen = machineNamed(paper, machine);
  const double nanometres = energy::loadTable(paper.energy.table).nanometres;
  return Expression(expression).evaluate([&](const std::string& name) -> std::optional<double> {
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string first = name.substr(0, dot), second = name.substr(std::min(dot + 1, name.size()));
    if (first != "bytes" && first != "area" && first != "leakage") return numberOf(chosen, first, second);
    const std::optional<energy::Footprint> found = footprintOf(chosen, second, nanometres);
    if (!found) return std::nullopt;
    if (first == "bytes") return static_cast<double>(found->bytes);
    return first == "area" ? found->area.value : found->leakage.value;
  });
}

}  // namespace warpwright::lab
