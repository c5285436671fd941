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

inline constexpr std::array<std::string_view, 11> kEnergyPaths = {
    "avc.tag",         "avc.read",         "avc.write",         "avc.decode",        "avc.encode",        "avc.leakage",
    "avc_shared.read", "avc_shared.write", "avc_shared.decode", "avc_shared.encode", "avc_shared.leakage"};
// The names of its statistics.
inline constexpr const char* kCounters = "avc";
inline constexpr const char* kSharedCounters = "avc_shared";

// With `shared` also what it keeps beside the banks of shared memory. `shared_memory` and `data_crossbar` of the account have the words
// that go from there to the banks, and bases and strides on their way to the lanes.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::avc
