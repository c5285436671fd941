// What each event costs on a machine.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "config/machine.hpp"
#include "energy/quantity.hpp"
#include "energy/table.hpp"

namespace warpwright::energy {

class EventEnergies {
 public:
  // Throws Error when the table has no DRAM of the machine's kind. The machine is a timed one.
  EventEnergies(const Table& table, const config::Machine& machine);

  // By path (events.hpp). Null: the machine has no such part.
  const Energy* find(std::string_view path) const;
  // Multiplies all events of a unit, or the one of this path, as calibration found. Throws Error when there is none.
  void scale(std::string_view unitOrPath, double factor);
  const std::map<std::string, Energy, std::less<>>& all() const { return energies_; }

 private:
  bool scaleKnown(std::string_view unitOrPath, double factor);  // false: there is none

  std::map<std::string, Energy, std::less<>> energies_;
};

}  // namespace warpwright::energy
