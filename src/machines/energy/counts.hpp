// How often each event of the baseline's energy happened, by the counters of the machine.
#pragma once

#include <functional>
#include <string_view>

#include "machines/line_timing.hpp"
#include "machines/statistics.hpp"

namespace warpwright::machines {

// Calls with unit, event (energy/events.hpp) and count, also for those that did not happen and that the machine has no part for. An event
// may come more than once.
using CountVisitor = std::function<void(std::string_view unit, std::string_view event, u64 count)>;
void forEachEnergyEvent(const GpuStats& stats, const CountVisitor& visit);
// The same of those events that are known by source line; of what happens with time, and of mechanisms' events, none are. columnBytes: that
// a command of DRAM moves.
void forEachEnergyEvent(const LineTiming& line, u32 columnBytes, const CountVisitor& visit);

}  // namespace warpwright::machines
