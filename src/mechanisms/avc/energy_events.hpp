// What an affine vector cache costs.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/avc/settings.hpp"

namespace warpwright::mechanisms::avc {

inline constexpr std::array<std::string_view, 6> kEnergyPaths = {"avc.tag",    "avc.read",   "avc.write",
                                                                 "avc.decode", "avc.encode", "avc.leakage"};
inline constexpr const char* kCounters = "avc";  // the name of its statistics
// Of its private-memory side: with `shared`, what it keeps of shared memory costs nothing here.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::avc
