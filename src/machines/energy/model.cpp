#include "machines/energy/model.hpp"

#include <fmt/format.h>

#include "machines/energy/counts.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::machines {

EnergyModel::EnergyModel(const energy::Table& table, const config::Machine& machine)
    : table_(table.name),
      nanometres_(table.nanometres),
      coreClockKhz_(machine.coreClockKhz),
      columnBytes_(config::columnBytes(machine.dram)),
      energies_(table, machine) {
  for (const mechanisms::Kind* kind : mechanisms::catalogue()) {
    const std::any* settings = machine.mechanisms.find(kind->description.name);
    if (settings == nullptr || kind->energyEvents == nullptr) continue;
    const std::vector<energy::CountedEvent> events = kind->energyEvents(*settings, machine, table);
    ofMechanisms_.insert(ofMechanisms_.end(), events.begin(), events.end());
  }
}

// Nothing where the machine has no such part.
void EnergyModel::charge(energy::Account& account, std::string_view unit, std::string_view event, u64 count) const {
  if (const energy::Energy* each = energies_.find(fmt::format("{}.{}", unit, event))) account.add(unit, event, count, *each);
}

energy::Account EnergyModel::account(const GpuStats& stats) const {
  energy::Account account;
  forEachEnergyEvent(stats, [&](std::string_view unit, std::string_view event, u64 count) { charge(account, unit, event, count); });
  addCounted(account, ofMechanisms_, stats.mechanisms, stats.cycles);
  return account;
}

energy::Account EnergyModel::account(const LineTiming& line) const {
  energy::Account account;
  forEachEnergyEvent(line, columnBytes_, [&](std::string_view unit, std::string_view event, u64 count) {
    if (count != 0) charge(account, unit, event, count);
  });
  return account;
}

}  // namespace warpwright::machines
