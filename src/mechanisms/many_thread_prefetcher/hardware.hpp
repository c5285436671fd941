// What the many-thread aware prefetcher takes of a chip, and what its accesses cost.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/hardware.hpp"
#include "mechanisms/many_thread_prefetcher/settings.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

inline constexpr const char* kCounters = "many_thread_prefetcher";  // the name of its statistics
inline constexpr std::array<std::string_view, 5> kEnergyPaths = {"many_thread_prefetcher.per_warp", "many_thread_prefetcher.global",
                                                                 "many_thread_prefetcher.inter_warp", "many_thread_prefetcher.queue",
                                                                 "many_thread_prefetcher.leakage"};

Hardware hardware(const Settings& settings, const config::Machine& machine);
// Lines that it brings are accesses of the first-level cache, and counted there.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::many_thread_prefetcher
