#include "mechanisms/line_compression/energy_events.hpp"

#include "energy/event_energies.hpp"
#include "energy/sram.hpp"
#include "mechanisms/line_compression/metadata.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

constexpr const char* kUnit = "line_compression";
constexpr u32 kBdiShapes = 6, kBdiBases = 2, kFpcPatterns = 7, kCPackComparisons = 6;

u32 operationsOfWord(compression::Codec codec) {
  if (codec == compression::Codec::bdi) return kBdiShapes * kBdiBases;
  return codec == compression::Codec::fpc ? kFpcPatterns : kCPackComparisons;
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
  if (settings.by == By::hardware) add("compress", "compressions", operationsToCompress(settings.codec, lineBytes) * addition);
  if (settings.by == By::hardware) add("decompress", "decompressions", operationsToDecompress(lineBytes) * addition);
  if (settings.metadataBytes == 0) return events;

  const auto cache = energy::estimate({settings.metadataBytes, kMetadataBlockBytes * 8, 1, 1}, table.nanometres);
  for (const char* looked : {"metadata.hits", "metadata.misses", "metadata.merged"}) add("metadata_read", looked, cache.read);
  add("metadata_fill", "metadata.misses", cache.write);
  add("metadata_write", "metadata.changed", cache.write);
  add("metadata_read", "metadata.write_backs", cache.read);
  const double cycle = 1 / (static_cast<double>(machine.coreClockKhz) * 1e3);
  add("leakage", "", energyOf(static_cast<double>(machine.dram.channels) * cache.leakage, cycle));
  return events;
}

}  // namespace warpwright::mechanisms::line_compression
