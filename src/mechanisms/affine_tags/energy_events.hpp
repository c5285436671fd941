// What tags of registers cost, and the bases and strides beside them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/counted_events.hpp"
#include "energy/table.hpp"
#include "mechanisms/affine_tags/settings.hpp"

namespace warpwright::mechanisms::affine_tags {

inline constexpr const char* kCounters = "affine_tags";  // the name of its statistics
inline constexpr std::array<std::string_view, 5> kEnergyPaths = {"affine_tags.tag_read", "affine_tags.tag_write", "affine_tags.scalar_read",
                                                                 "affine_tags.scalar_write", "affine_tags.leakage"};

// Operands in lanes of their register, and lanes that are not clocked, cost what those of the baseline do: its counters tell them not
// apart.
std::vector<energy::CountedEvent> energyEvents(const Settings& settings, const config::Machine& machine, const energy::Table& table);

}  // namespace warpwright::mechanisms::affine_tags
