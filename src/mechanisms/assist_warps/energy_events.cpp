#include "mechanisms/assist_warps/energy_events.hpp"

#include "energy/event_energies.hpp"
#include "energy/sram.hpp"
#include "mechanisms/assist_warps/hardware.hpp"

namespace warpwright::mechanisms::assist_warps {

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  constexpr const char* kUnit = "assist_warps";
  std::vector<energy::CountedEvent> events;
  const auto add = [&](const char* unit, const char* name, const char* counter, const energy::Energy& each) {
    events.push_back({unit, name, kCounters, counter, each});
  };
  const auto map = energy::estimate(mapOf(settings, machine), table.nanometres);
  const auto store = energy::estimate(storeOf(settings, machine), table.nanometres);
  const auto entries = energy::estimate(tableOf(settings, machine), table.nanometres);
  const auto buffer = energy::estimate(bufferOf(settings, machine), table.nanometres);
  add(kUnit, "map_read", "triggered", map.read);
  add(kUnit, "store_read", "staged", store.read);
  add(kUnit, "table_write", "triggered", entries.write);
  add(kUnit, "table_step", "staged", entries.read + entries.write);
  add(kUnit, "buffer_write", "staged", buffer.write);
  add(kUnit, "buffer_read", "instructions", buffer.read);
  const energy::EventEnergies baseline(table, machine);
  for (const char* moved : {"words_in", "words_out"})
    for (const char* access : {"read", "write"})
      add("register_file", access, moved, *baseline.find(std::string("register_file.") + access));
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  add(kUnit, "leakage", "", energyOf(energy::footprintOf(hardware(settings, machine).arrays, table.nanometres).leakage, cycle));
  return events;
}

}  // namespace warpwright::mechanisms::assist_warps
