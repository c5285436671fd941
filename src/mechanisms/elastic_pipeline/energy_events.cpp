#include "mechanisms/elastic_pipeline/energy_events.hpp"

#include "energy/sram.hpp"

namespace warpwright::mechanisms::elastic_pipeline {
namespace {

constexpr const char* kUnit = "elastic_pipeline";
// Of a lane. Past the memory stages goes its result; to them its address and the word that it may store.
constexpr u32 kResultBits = 32, kAccessBits = 64;

// A queue of so many sub-warps, each written and read as a whole.
energy::Sram queueOf(u32 subWarps, u32 lanes, u32 laneBits) { return {u64{subWarps} * lanes * laneBits / 8, lanes * laneBits, 1, 1}; }

}  // namespace

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  const Depths depths = depthsOf(settings, machine);
  const u32 lanes = machine.sm.loadStore.width;
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  std::vector<energy::CountedEvent> events;
  energy::Power leakage;
  const auto add = [&](const char* name, const char* counter, const energy::Sram& queue) {
    if (queue.bytes == 0) return;
    const energy::SramEstimate estimate = energy::estimate(queue, table.nanometres);
    leakage += estimate.leakage;
    events.push_back({kUnit, name, kCounters, counter, estimate.write + estimate.read});
  };
  add("nonmem", "queued_nonmem", queueOf(depths.nonmem, lanes, kResultBits));
  add("premem", "queued_premem", queueOf(depths.nonmem == 0 ? 0 : depths.premem, lanes, kAccessBits));
  // Queues that are not there have a line all the same, so that columns of experiments exist with and without them.
  events.push_back({kUnit, "leakage", kCounters, "", energyOf(static_cast<double>(machine.multiprocessors) * leakage, cycle)});
  return events;
}

}  // namespace warpwright::mechanisms::elastic_pipeline
