#include "mechanisms/conflict_aware/energy_events.hpp"

#include "energy/sram.hpp"
#include "mechanisms/conflict_aware/hardware_cost.hpp"

namespace warpwright::mechanisms::conflict_aware {
namespace {

constexpr const char* kUnit = "conflict_aware";
constexpr u32 kPorts = 2;  // table 5.3: issue looks up while what was served is learnt

}  // namespace

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  const u64 bits = hardwareCost(settings, machine.warpSize, machine.warpsPerSm).historyCacheBits;
  // An oracle, and a cache without sets, have a line all the same, so that columns of experiments exist with and without them.
  if (bits == 0) return {{kUnit, "leakage", kCounters, "", energy::Energy{}}};
  const auto setBits = static_cast<u32>(bits / settings.sets);
  // All ways of a set are read together; one is written.
  const auto read = energy::estimate({bits / 8, setBits, 1, kPorts}, table.nanometres);
  const auto written = energy::estimate({bits / 8, setBits / settings.ways, 1, kPorts}, table.nanometres);
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  return {{kUnit, "look_up", kCounters, "accesses", read.read},
          {kUnit, "update", kCounters, "accesses", written.write},
          {kUnit, "leakage", kCounters, "", energyOf(static_cast<double>(machine.multiprocessors) * read.leakage, cycle)}};
}

}  // namespace warpwright::mechanisms::conflict_aware
