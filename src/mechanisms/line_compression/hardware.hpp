// What compression of lines takes of a chip, as far as it is arrays: codecs are logic, for which no estimate is here.
#pragma once

#include "mechanisms/hardware.hpp"
#include "mechanisms/line_compression/settings.hpp"

namespace warpwright::mechanisms::line_compression {

// Beside a DRAM channel: the cache of metadata with its tags, of blocks of 128 lines; lines that wait for them or for the codec.
energy::Sram metadataOf(const Settings& settings);
energy::Sram metadataTagsOf(const Settings& settings, const config::Machine& machine);
energy::Sram waitingOf(const Settings& settings, const config::Machine& machine);
// Of an SM: lines of stores that wait to be compressed, where an array of their own holds them; as many that hardware makes whole; stores
// to parts of lines, with an address and which bytes they are. Of no bytes where there are none.
energy::Sram storesOf(const Settings& settings, const config::Machine& machine);
energy::Sram partialStoresOf(const Settings& settings, const config::Machine& machine);
energy::Sram arrivalsOf(const Settings& settings, const config::Machine& machine);
// Tags beyond those that a cache has anyway, as an array beside them.
energy::Sram furtherTags(config::Cache cache, u32 tags);

// metadata_cache_bits, metadata_tag_bits, waiting_bits, of a channel; store_buffer_bits, partial_store_bits, arrival_buffer_bits,
// of an SM; metadata_line_bits,
// that each line of DRAM has. The arrays are those of the whole chip.
Hardware hardware(const Settings& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::line_compression
