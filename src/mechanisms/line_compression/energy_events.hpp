// What compression between memory partitions and DRAM costs.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/line_compression/settings.hpp"

namespace warpwright::mechanisms::line_compression {

inline constexpr const char* kCounters = "line_compression";  // the name of its statistics
inline constexpr std::array<std::string_view, 10> kEnergyPaths = {"line_compression.compress",          "line_compression.decompress",
                                                                  "line_compression.metadata_read",     "line_compression.metadata_fill",
                                                                  "line_compression.metadata_write",    "line_compression.store_buffer",
                                                                  "line_compression.partial_stores",    "line_compression.first_level_tags",
                                                                  "line_compression.second_level_tags", "line_compression.leakage"};

// 32-bit additions or comparisons with which a codec tries a line, and with which it makes one whole: of differences to both bases for each
// of the six shapes of BDI; of seven patterns for FPC; of four dictionary entries, zero and the short word for C-Pack. A codec whole again
// does one for each word. Each costs what the table says of an addition, as the paper gives no energies of its synthesised logic.
u32 operationsToCompress(Choice codec, u32 lineBytes);
u32 operationsToDecompress(u32 lineBytes);

std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::line_compression
