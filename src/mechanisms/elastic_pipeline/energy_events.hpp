// What the queues of an elastic pipeline cost.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/elastic_pipeline/settings.hpp"

namespace warpwright::mechanisms::elastic_pipeline {

inline constexpr const char* kCounters = "elastic_pipeline";  // the name of its statistics
inline constexpr std::array<std::string_view, 3> kEnergyPaths = {"elastic_pipeline.nonmem", "elastic_pipeline.premem",
                                                                 "elastic_pipeline.leakage"};

// The latches of table 5.2. The multiplexers before write-back and the first memory stage have no estimate, and cost nothing here.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::elastic_pipeline
