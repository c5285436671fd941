#include "mechanisms/stride_prefetcher/hardware.hpp"

#include <bit>

#include "mechanisms/stride_prefetcher/stride_table.hpp"

namespace warpwright::mechanisms::stride_prefetcher {
namespace {

constexpr u32 kAddressBits = 40;  // as those of other caches (docs/energy.md)
constexpr u32 kPcBits = 32, kConfidenceBits = 2;

// The tag has all of the key; a direct-mapped table could leave out what says where the entry is.
u32 entryBits(const Settings& settings, const config::Machine& machine) {
  const u32 warpBits = settings.index == Index::pc ? 0 : static_cast<u32>(std::bit_width(machine.warpsPerSm - 1));
  const u32 pcBits = settings.index == Index::warp ? 0 : kPcBits;
  return pcBits + warpBits + kAddressBits + StrideTable::kStrideBits + kConfidenceBits;
}

energy::Sram ofEntries(u32 entries, u32 bits) { return {(u64{entries} * bits + 7) / 8, bits, 1, 1}; }

}  // namespace

Hardware hardware(const Settings& settings, const config::Machine& machine) {
  const u32 bits = entryBits(settings, machine);
  return {.numbers = {{"entry_bits", static_cast<double>(bits)}, {"table_bits", static_cast<double>(u64{settings.entries} * bits)}},
          .arrays = {{ofEntries(settings.entries, bits), ofEntries(settings.queue, kAddressBits)}, machine.multiprocessors}};
}

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  if (!settings.isPresent()) return {{kCounters, "leakage", kCounters, "", energy::Energy{}}};
  const Hardware parts = hardware(settings, machine);
  const auto entry = energy::estimate(parts.arrays.ofOne[0], table.nanometres),
             queue = energy::estimate(parts.arrays.ofOne[1], table.nanometres);
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  return {{kCounters, "table", kCounters, "loads", entry.read + entry.write},
          {kCounters, "queue", kCounters, "sent", queue.read + queue.write},
          {kCounters, "leakage", kCounters, "", energyOf(energy::footprintOf(parts.arrays, table.nanometres).leakage, cycle)}};
}

}  // namespace warpwright::mechanisms::stride_prefetcher
