// What a machine's counters cost: the events of the baseline and those of its mechanisms (docs/energy.md).
#pragma once

#include <string>
#include <vector>

#include "config/machine.hpp"
#include "energy/account.hpp"
#include "energy/counted_events.hpp"
#include "energy/event_energies.hpp"
#include "energy/table.hpp"
#include "machines/line_timing.hpp"
#include "machines/statistics.hpp"

namespace warpwright::machines {

class EnergyModel {
 public:
  // Throws Error when the table has no DRAM of the machine's kind.
  EnergyModel(const energy::Table& table, const config::Machine& machine);

  // Of one launch or of several together: what is added to counters is added to accounts, exactly.
  energy::Account account(const GpuStats& stats) const;
  // Of a source line; in what it leaves of the launch's account (energy::Account::rest) is what belongs to no line.
  energy::Account account(const LineTiming& line) const;

  const std::string& table() const { return table_; }
  u32 coreClockKhz() const { return coreClockKhz_; }
  double nanometres() const { return nanometres_; }
  const energy::EventEnergies& energies() const { return energies_; }

 private:
  void charge(energy::Account& account, std::string_view unit, std::string_view event, u64 count) const;

  std::string table_;
  double nanometres_;
  u32 coreClockKhz_, columnBytes_;
  energy::EventEnergies energies_;
  std::vector<energy::CountedEvent> ofMechanisms_;
};

}  // namespace warpwright::machines
