// What elastic MSHRs cost.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/elastic_mshr/settings.hpp"

namespace warpwright::mechanisms::elastic_mshr {

inline constexpr const char* kCounters = "elastic_mshr";  // the name of its statistics
inline constexpr std::array<std::string_view, 5> kEnergyPaths = {"elastic_mshr.search", "elastic_mshr.predict", "elastic_mshr.store_write",
                                                                 "elastic_mshr.store_read", "elastic_mshr.leakage"};

// They serve in the place of the first-level MSHRs and count as these do (`l1d`); what is theirs alone has a unit of its own. The gates of
// table 6.1 beside the fields of sizes, and the access granularity buffer, whose size is the program's, cost nothing here.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::elastic_mshr
