#include "mechanisms/line_compression/hardware.hpp"

#include <bit>

#include "mechanisms/line_compression/metadata.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

energy::Sram linesIn(u32 count, u32 lineBytes) { return {u64{count} * lineBytes, lineBytes * 8, 1, 1}; }

double bitsOf(const energy::Sram& array) { return static_cast<double>(array.bytes * 8); }

void addTimes(energy::Arrays& into, u64 count, const energy::Sram& array) {
  if (array.bytes != 0) into.ofOne.insert(into.ofOne.end(), count, array);
}

}  // namespace

energy::Sram metadataOf(const Settings& settings) { return {settings.metadataBytes, kMetadataBlockBytes * 8, 1, 1}; }

// An address of a block in the channel's part of memory, and whether the block has changed and is there.
energy::Sram metadataTagsOf(const Settings& settings, const config::Machine& machine) {
  if (settings.metadataBytes == 0) return {};
  const u64 blocks = settings.metadataBytes / kMetadataBlockBytes, sets = blocks / settings.metadataWays;
  const u64 all = machine.globalMemoryBytes / machine.dram.channels / (u64{kLinesOfBlock} * lineBytesOf(machine));
  const u32 bits = static_cast<u32>(std::bit_width(all / sets)) + 2;
  return {(blocks * bits + 7) / 8, bits * settings.metadataWays, 1, 1};
}

energy::Sram waitingOf(const Settings& settings, const config::Machine& machine) { return linesIn(settings.entries, lineBytesOf(machine)); }

energy::Sram storesOf(const Settings& settings, const config::Machine& machine) {
  if (settings.reach != Reach::network || settings.secondLevel != SecondLevel::compressed) return {};
  if (routinesCompress(settings) && settings.storeBuffer != StoreBuffer::own) return {};
  return linesIn(settings.smEntries, lineBytesOf(machine));
}

energy::Sram partialStoresOf(const Settings& settings, const config::Machine& machine) {
  if (settings.reach != Reach::network || settings.secondLevel != SecondLevel::compressed) return {};
  const u32 lineBytes = lineBytesOf(machine), lines = static_cast<u32>(machine.globalMemoryBytes / lineBytes);
  const u32 bits = lineBytes * 8 + lineBytes + static_cast<u32>(std::bit_width(lines - 1));
  return {(u64{settings.partialEntries} * bits + 7) / 8, bits, 1, 1};
}

energy::Sram arrivalsOf(const Settings& settings, const config::Machine& machine) {
  if (settings.reach != Reach::network || settings.by != By::hardware) return {};
  return linesIn(settings.smEntries, lineBytesOf(machine));
}

energy::Sram furtherTags(config::Cache cache, u32 tags) {
  if (tags == 1) return {};
  cache.bytes *= tags - 1;
  cache.ways *= tags - 1;
  return energy::tagsOf(cache);
}

Hardware hardware(const Settings& settings, const config::Machine& machine) {
  const energy::Sram metadata = metadataOf(settings), tags = metadataTagsOf(settings, machine), waiting = waitingOf(settings, machine),
                     stores = storesOf(settings, machine), parts = partialStoresOf(settings, machine),
                     arrivals = arrivalsOf(settings, machine);
  Hardware result{.numbers = {{"metadata_line_bits", kBitsOfLine},
                              {"metadata_cache_bits", bitsOf(metadata)},
                              {"metadata_tag_bits", bitsOf(tags)},
                              {"waiting_bits", bitsOf(waiting)},
                              {"store_buffer_bits", bitsOf(stores)},
                              {"partial_store_bits", bitsOf(parts)},
                              {"arrival_buffer_bits", bitsOf(arrivals)}},
                  .arrays = {{}, 1}};
  for (const energy::Sram& each : {metadata, tags, waiting}) addTimes(result.arrays, machine.dram.channels, each);
  for (const energy::Sram& each : {stores, parts, arrivals, furtherTags(machine.l1d, settings.firstLevelTags)})
    addTimes(result.arrays, machine.multiprocessors, each);
  addTimes(result.arrays, u64{machine.dram.channels} * machine.partition.slices, furtherTags(machine.l2, settings.secondLevelTags));
  return result;
}

}  // namespace warpwright::mechanisms::line_compression
