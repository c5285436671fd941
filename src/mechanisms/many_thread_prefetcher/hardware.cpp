#include "mechanisms/many_thread_prefetcher/hardware.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {
namespace {

// As the paper has them, with addresses of four bytes: its three tables are 557 bytes then.
constexpr u32 kPcBits = 32, kAddressBits = 32, kWarpBits = 8, kTrainBits = 1;

u32 perWarpBits(const TableSizes& sizes) { return kPcBits + kWarpBits + kTrainBits + kAddressBits + sizes.strideBits; }
u32 globalBits(const TableSizes& sizes) { return kPcBits + sizes.strideBits; }
// Of the two warps seen last.
u32 interWarpBits(const TableSizes& sizes) { return kPcBits + sizes.strideBits + kTrainBits + 2 * (kWarpBits + kAddressBits); }

energy::Sram ofEntries(u32 entries, u32 bits) { return {(u64{entries} * bits + 7) / 8, bits, 1, 1}; }

}  // namespace

Hardware hardware(const Settings& settings, const config::Machine& machine) {
  const TableSizes& sizes = settings.tables;
  const u32 perWarp = perWarpBits(sizes), global = globalBits(sizes), interWarp = interWarpBits(sizes);
  const u64 bits = u64{sizes.perWarp} * perWarp + u64{sizes.global} * global + u64{sizes.interWarp} * interWarp;
  const u64 bytes = (bits + 7) / 8;
  return {.numbers = {{"per_warp_entry_bits", static_cast<double>(perWarp)},
                      {"global_entry_bits", static_cast<double>(global)},
                      {"inter_warp_entry_bits", static_cast<double>(interWarp)},
                      {"table_bytes", static_cast<double>(bytes)}},
          .arrays = {{ofEntries(sizes.perWarp, perWarp), ofEntries(sizes.global, global), ofEntries(sizes.interWarp, interWarp),
                      ofEntries(settings.queue, kAddressBits)},
                     machine.multiprocessors}};
}

// A look-up compares the keys of all entries, and reads one and writes it. The table of warps is not looked up where the global one knows.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  if (!settings.isPresent()) return {{kCounters, "leakage", kCounters, "", energy::Energy{}}};
  const Hardware parts = hardware(settings, machine);
  const auto arrayOf = [&](std::size_t index) { return energy::estimate(parts.arrays.ofOne[index], table.nanometres); };
  const auto search = [&](u32 entries, u32 bits) { return energy::searchEnergy(u64{entries} * bits, table.nanometres); };
  const auto perWarp = arrayOf(0), global = arrayOf(1), interWarp = arrayOf(2), queue = arrayOf(3);
  const TableSizes& sizes = settings.tables;
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  return {{kCounters, "global", kCounters, "prefetches.loads", search(sizes.global, kPcBits) + global.read},
          {kCounters, "inter_warp", kCounters, "prefetches.loads", search(sizes.interWarp, kPcBits) + interWarp.read + interWarp.write},
          {kCounters, "per_warp", kCounters, "per_warp_lookups", search(sizes.perWarp, kPcBits + kWarpBits) + perWarp.read + perWarp.write},
          {kCounters, "queue", kCounters, "prefetches.sent", queue.read + queue.write},
          {kCounters, "leakage", kCounters, "", energyOf(energy::footprintOf(parts.arrays, table.nanometres).leakage, cycle)}};
}

}  // namespace warpwright::mechanisms::many_thread_prefetcher
