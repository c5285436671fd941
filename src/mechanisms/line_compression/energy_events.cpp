#include "mechanisms/line_compression/energy_events.hpp"

#include "base/memory_units.hpp"
#include "energy/event_energies.hpp"
#include "energy/sram.hpp"
#include "mechanisms/line_compression/hardware.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

constexpr const char* kUnit = "line_compression";
constexpr u32 kBdiShapes = 6, kBdiBases = 2, kFpcPatterns = 7, kCPackComparisons = 6;

u32 operationsOfWord(compression::Codec codec) {
  if (codec == compression::Codec::bdi) return kBdiShapes * kBdiBases;
  return codec == compression::Codec::fpc ? kFpcPatterns : kCPackComparisons;
}

// A line that is written to the store buffer, and read from it when it leaves, wherever the buffer lies.
energy::Energy ofBufferedLine(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  if (const auto own = storesOf(settings, machine); own.bytes != 0) {
    const auto array = energy::estimate(own, table.nanometres);
    return array.write + array.read;
  }
  const energy::EventEnergies baseline(table, machine);
  const auto times = [&](u32 count, const std::string& unit) {
    return static_cast<double>(count) * (*baseline.find(unit + ".write") + *baseline.find(unit + ".read"));
  };
  const u32 lineBytes = lineBytesOf(machine);
  if (settings.storeBuffer == StoreBuffer::l1) return times(lineBytes / kSectorBytes, "l1d");
  return times(lineBytes / machine.sharedBankBytes, "shared_memory");
}

}  // namespace

u32 operationsToCompress(Choice codec, u32 lineBytes) {
  u32 ofWord = 0;
  for (const compression::Codec each : codecsOf(codec)) ofWord += operationsOfWord(each);
  return ofWord * operationsToDecompress(lineBytes);
}

u32 operationsToDecompress(u32 lineBytes) { return lineBytes / sizeof(u32); }

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table) {
  std::vector<energy::CountedEvent> events;
  const auto add = [&](const char* name, const char* counter, const energy::Energy& each) {
    events.push_back({kUnit, name, kCounters, counter, each});
  };
  const u32 lineBytes = lineBytesOf(machine);
  const energy::EventEnergies baseline(table, machine);
  const energy::Energy& addition = *baseline.find("pipe.int_add");
  add("compress", "hardware_compressions", operationsToCompress(settings.codec, lineBytes) * addition);
  add("decompress", "hardware_decompressions", operationsToDecompress(lineBytes) * addition);
  energy::Power leakage;
  if (settings.metadataBytes != 0) {
    const auto cache = energy::estimate(metadataOf(settings), table.nanometres);
    for (const char* looked : {"metadata.hits", "metadata.misses", "metadata.merged"}) add("metadata_read", looked, cache.read);
    add("metadata_fill", "metadata.misses", cache.write);
    add("metadata_write", "metadata.changed", cache.write);
    add("metadata_read", "metadata.write_backs", cache.read);
    leakage = static_cast<double>(machine.dram.channels) * cache.leakage;
  }
  if (settings.reach == Reach::network && settings.secondLevel == SecondLevel::compressed) {
    add("store_buffer", "buffered_stores", ofBufferedLine(settings, machine, table));
    const auto parts = energy::estimate(partialStoresOf(settings, machine), table.nanometres);
    add("partial_stores", "partial_stores", parts.write);
    add("partial_stores", "refused_stores", parts.read);
    leakage = leakage + static_cast<double>(machine.multiprocessors) * parts.leakage;
    if (const auto own = storesOf(settings, machine); own.bytes != 0)
      leakage = leakage + static_cast<double>(machine.multiprocessors) * energy::estimate(own, table.nanometres).leakage;
  }
  if (settings.firstLevelTags != 1) {
    const auto tags = energy::estimate(furtherTags(machine.l1d, settings.firstLevelTags), table.nanometres);
    add("first_level_tags", "first_level_lookups", tags.read);
    leakage = leakage + static_cast<double>(machine.multiprocessors) * tags.leakage;
  }
  if (settings.secondLevelTags != 1) {
    const auto tags = energy::estimate(furtherTags(machine.l2, settings.secondLevelTags), table.nanometres);
    add("second_level_tags", "second_level_lookups", tags.read);
    leakage = leakage + static_cast<double>(machine.dram.channels * machine.partition.slices) * tags.leakage;
  }
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  add("leakage", "", energyOf(leakage, cycle));
  return events;
}

}  // namespace warpwright::mechanisms::line_compression
