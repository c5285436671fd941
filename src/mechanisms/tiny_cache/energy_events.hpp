// What the tiny caches cost, and what their traffic costs beside the first-level cache and the banks, which count for themselves.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/tiny_cache/settings.hpp"

namespace warpwright::mechanisms::tiny_cache {

inline constexpr const char* kCounters = "tiny_cache";  // the name of their statistics
inline constexpr std::array<std::string_view, 6> kEnergyPaths = {"tiny_cache.tag",  "tiny_cache.read",       "tiny_cache.write",
                                                                 "tiny_cache.fill", "tiny_cache.write_back", "tiny_cache.leakage"};

// Lines of all lanes go over the data crossbar: `coalescer` and `data_crossbar` of the account have their share, `shared_memory` what is
// fetched from its banks and written back to them.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::tiny_cache
