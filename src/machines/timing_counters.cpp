#include "machines/timing_counters.hpp"

#include <algorithm>
#include <string>

#include "mem/dram/geometry.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

using stats::ratio;
using stats::Ratio;
using Counters = TimingCounters;
using Machine = config::Machine;

Ratio slotShare(const Counters& counters, std::initializer_list<sm::Slot> slots) {
  u64 sum = 0;
  for (const sm::Slot slot : slots) sum += counters.gpu.sm.slots[slot];
  return ratio(sum, counters.gpu.sm.slots.total());
}

Ratio neverAllocated(u64 allocated, u64 capacity) {
  return capacity == 0 ? std::nullopt : Ratio(1 - static_cast<double>(allocated) / static_cast<double>(capacity));
}

Ratio hitRate(const mem::CacheStats& cache) { return ratio(cache.hits.total(), cache.accesses.total()); }

// Flits over those that the narrower side of the network could have moved: SMs have a port each, for so many flits, a partition may have
// several ports.
Ratio networkUtilisation(const mem::NetworkStats& network, const Machine& machine, u32 flitsOfSm) {
  return ratio(network.ejectedFlits,
               network.ticks * std::min(machine.multiprocessors * flitsOfSm, machine.dram.channels * machine.partition.networkPorts));
}

u64 bytesRead(const mem::DramStats& dram, const config::Dram& config) {
  using mem::dram::Command;
  return (dram.commands[Command::read] + dram.commands[Command::readPrecharge]) * mem::dram::columnBytes(config);
}

constexpr Figure kFigures[] = {
    {"warp_instructions_per_cycle", "warp instructions per core cycle", "of all SMs together: `gpu.sm.warp_instructions` / `cycles`",
     [](const Counters& c, const Machine&) { return ratio(c.gpu.sm.warpInstructions, c.cycles); }},
    {"thread_instructions_per_cycle", "thread instructions per core cycle", "of all SMs together: `gpu.sm.thread_instructions` / `cycles`",
     [](const Counters& c, const Machine&) { return ratio(c.gpu.sm.threadInstructions, c.cycles); }},
    {"occupancy", "share",
     "warps resident on average, of those that the SMs can hold: `gpu.sm.resident_warp_cycles` / (`gpu.sm.cycles` x `sm.warps`)",
     [](const Counters& c, const Machine& m) { return ratio(c.gpu.sm.residentWarpCycles, c.gpu.sm.cycles * m.warpsPerSm); }},
    {"registers_never_allocated", "share",
     "of the register files, to no block of the launch; SMs without a block count whole: 1 - `allocated_registers` / (`launches` x "
     "registers "
     "of all SMs)",
     [](const Counters& c, const Machine& m) {
       return neverAllocated(c.allocatedRegisters, c.launches * m.registersPerSm * m.multiprocessors);
     }},
    {"shared_memory_never_allocated", "share", "the same of the shared memories",
     [](const Counters& c, const Machine& m) {
       return neverAllocated(c.allocatedSharedBytes, c.launches * m.sharedBytesPerSm * m.multiprocessors);
     }},
    {"registers_unallocated", "share",
     "of the register file, by occupancy alone (Vijaykumar and others, Figure 3): 1 - `occupancy_registers` / (`launches` x registers of "
     "an SM)",
     [](const Counters& c, const Machine& m) { return neverAllocated(c.occupancyRegisters, c.launches * m.registersPerSm); }},
    {"shared_memory_unallocated", "share", "the same of the shared memory",
     [](const Counters& c, const Machine& m) { return neverAllocated(c.occupancySharedBytes, c.launches * m.sharedBytesPerSm); }},
    {"active", "share of the issue slots", "`issued` + `sub_warps` + `assist` (Vijaykumar and others, Figure 2: active cycles)",
     [](const Counters& c, const Machine&) {
       return slotShare(c, {sm::Slot::issued, sm::Slot::subWarps, sm::Slot::assist});
     }},
    {"memory_stalls", "share of the issue slots", "`memory_structural` + `bank_conflict` + `held_back` (Figure 2: memory stalls)",
     [](const Counters& c, const Machine&) {
       return slotShare(c, {sm::Slot::memoryStructural, sm::Slot::bankConflict, sm::Slot::heldBack});
     }},
    {"compute_stalls", "share of the issue slots", "`compute_structural` + `write_back_conflict` (Figure 2: compute stalls)",
     [](const Counters& c, const Machine&) {
       return slotShare(c, {sm::Slot::computeStructural, sm::Slot::writeBackConflict});
     }},
    {"data_dependence_stalls", "share of the issue slots", "`memory_dependence` + `compute_dependence` (Figure 2: data dependence stalls)",
     [](const Counters& c, const Machine&) {
       return slotShare(c, {sm::Slot::memoryDependence, sm::Slot::computeDependence});
     }},
    {"idle", "share of the issue slots", "`barrier` + `fence` + `fetch` + `no_warp` (Figure 2: idle cycles)",
     [](const Counters& c, const Machine&) {
       return slotShare(c, {sm::Slot::barrier, sm::Slot::fence, sm::Slot::fetch, sm::Slot::noWarp});
     }},
    {"scheduling_fails", "share of the issue slots",
     "no warp is ready: `held_back` + `memory_dependence` + `compute_dependence` + `barrier` + `fence` + `fetch` (Gou, section 5.6.1, warp "
     "scheduling fails)",
     [](const Counters& c, const Machine&) {
       return slotShare(c, {sm::Slot::heldBack, sm::Slot::memoryDependence, sm::Slot::computeDependence, sm::Slot::barrier, sm::Slot::fence,
                            sm::Slot::fetch});
     }},
    {"bank_conflict_stalls", "share of the issue slots", "`bank_conflict` (Gou, section 5.6.1); in-order pipelines only",
     [](const Counters& c, const Machine&) { return slotShare(c, {sm::Slot::bankConflict}); }},
    {"write_back_conflict_stalls", "share of the issue slots", "`write_back_conflict` (Gou, section 5.6.1); in-order pipelines only",
     [](const Counters& c, const Machine&) { return slotShare(c, {sm::Slot::writeBackConflict}); }},
    {"shared_passes_per_access", "passes", "of the banks, a warp-wide access to shared memory: 1 without conflicts",
     [](const Counters& c, const Machine&) { return ratio(c.gpu.sm.loadStore.sharedPasses, c.gpu.sm.loadStore.sharedAccesses); }},
    {"load_latency", "core cycles", "mean of `gpu.sm.load_store.load_latency`",
     [](const Counters& c, const Machine&) { return c.gpu.sm.loadStore.loadLatency.mean(); }},
    {"l1d_hit_rate", "share", "hits / accesses, all access types; merges are no hits",
     [](const Counters& c, const Machine&) { return hitRate(c.gpu.l1d); }},
    {"l1i_hit_rate", "share", "the same", [](const Counters& c, const Machine&) { return hitRate(c.gpu.l1i); }},
    {"l1c_hit_rate", "share", "the same", [](const Counters& c, const Machine&) { return hitRate(c.gpu.l1c); }},
    {"l15c_hit_rate", "share", "the same", [](const Counters& c, const Machine&) { return hitRate(c.gpu.l15c); }},
    {"texture_cache_hit_rate", "share", "the same", [](const Counters& c, const Machine&) { return hitRate(c.gpu.texture); }},
    {"l2_hit_rate", "share", "the same", [](const Counters& c, const Machine&) { return hitRate(c.gpu.memory.partition.l2); }},
    {"last_level_hit_rate", "share", "the same",
     [](const Counters& c, const Machine&) { return hitRate(c.gpu.memory.partition.lastLevel); }},
    {"request_network_utilisation", "share",
     "`ejected_flits` / (`ticks` x the number of SMs, or of ports of the partitions, whichever is smaller): one flit a port and tick is "
     "all that the "
     "network "
     "can move",
     [](const Counters& c, const Machine& m) { return networkUtilisation(c.gpu.memory.requests, m, 1); }},
    {"response_network_utilisation", "share", "the same",
     [](const Counters& c, const Machine& m) { return networkUtilisation(c.gpu.memory.responses, m, m.network.ejectionFlits); }},
    {"dram_row_hit_rate", "share", "`row_hits` / (`row_hits` + `row_misses` + `row_conflicts`)",
     [](const Counters& c, const Machine&) {
       const mem::DramStats& dram = c.gpu.memory.dram;
       return ratio(dram.rowHits, dram.rowHits + dram.rowMisses + dram.rowConflicts);
     }},
    {"dram_efficiency", "share", "`bus_transactions` / (transfers a tick x `active_ticks`) (Gou, section 6.5.3)",
     [](const Counters& c, const Machine& m) { return mem::dramEfficiency(c.gpu.memory.dram, m.dram.dataRate); }},
    {"dram_bandwidth_utilisation", "share", "`bus_transactions` / (transfers a tick x `ticks`) (Gou, section 6.5.3)",
     [](const Counters& c, const Machine& m) { return mem::bandwidthUtilisation(c.gpu.memory.dram, m.dram.dataRate); }},
    {"dram_bytes_per_nanosecond", "GB/s", "`moved_bytes` / `nanoseconds`",
     [](const Counters& c, const Machine&) { return ratio(c.gpu.memory.dram.movedBytes, c.nanoseconds); }},
    {"memory_access_utilisation", "ratio",
     "`load_bytes_used` / bytes that DRAM read (Gou, section 6.5.5: the part of the data loaded from off-chip memory that the pipeline "
     "uses). "
     "Above 1 when caches serve the same bytes again",
     [](const Counters& c, const Machine& m) { return ratio(c.loadBytesUsed, bytesRead(c.gpu.memory.dram, m.dram)); }},
};

}  // namespace

std::span<const Figure> figures() { return kFigures; }

stats::Ratio figure(std::string_view name, const TimingCounters& counters, const config::Machine& machine) {
  const auto found = std::find_if(std::begin(kFigures), std::end(kFigures), [&](const Figure& each) { return each.name == name; });
  return found == std::end(kFigures) ? std::nullopt : found->value(counters, machine);
}

stats::Json figuresJson(const TimingCounters& counters, const config::Machine& machine) {
  stats::Json result = stats::Json::object();
  for (const Figure& each : kFigures) result[std::string(each.name)] = stats::toJson(each.value(counters, machine));
  return result;
}

}  // namespace warpwright::machines
