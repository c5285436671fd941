// What the structures of assist warps cost. What their instructions do in pipes, registers and caches is counted with that of warps.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/assist_warps/settings.hpp"

namespace warpwright::mechanisms::assist_warps {

inline constexpr const char* kCounters = "assist_warps";  // the name of its statistics
inline constexpr std::array<std::string_view, 7> kEnergyPaths = {
    "assist_warps.map_read",     "assist_warps.store_read",  "assist_warps.table_write", "assist_warps.table_step",
    "assist_warps.buffer_write", "assist_warps.buffer_read", "assist_warps.leakage"};

// The map of triggers is read, and an entry written, when one is triggered; each instruction that is staged is read from the store, written
// to the buffer, and moves on the entry's Inst.ID; one that issues is read from the buffer. Moves of live registers read and write the
// register file.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::assist_warps
