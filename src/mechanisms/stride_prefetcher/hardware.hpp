// What the stride prefetcher takes of a chip, and what its accesses cost.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/hardware.hpp"
#include "mechanisms/stride_prefetcher/settings.hpp"

namespace warpwright::mechanisms::stride_prefetcher {

inline constexpr const char* kCounters = "stride_prefetcher";  // the name of its statistics
inline constexpr std::array<std::string_view, 3> kEnergyPaths = {"stride_prefetcher.table", "stride_prefetcher.queue",
                                                                 "stride_prefetcher.leakage"};

Hardware hardware(const Settings& settings, const config::Machine& machine);
// Lines that it brings are accesses of the first-level cache, and counted there.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::stride_prefetcher
