// What the history cache of conflict-aware scheduling costs.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/conflict_aware/settings.hpp"

namespace warpwright::mechanisms::conflict_aware {

inline constexpr const char* kCounters = "conflict_aware";  // the name of its statistics
inline constexpr std::array<std::string_view, 3> kEnergyPaths = {"conflict_aware.look_up", "conflict_aware.update",
                                                                 "conflict_aware.leakage"};

// Of table 5.3: an access that is foreseen is looked up once, and learnt from once. Mask, accumulator and counter cost nothing here.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::conflict_aware
