// The energy of a kernel or a launch as text and as data.
#pragma once

#include <string>
#include <string_view>

#include "machines/energy/model.hpp"
#include "machines/timing_counters.hpp"
#include "profile/text_page.hpp"
#include "stats/json_type.hpp"

namespace warpwright::machines {

enum class EnergyDetail : u8 { units, events };

// {table, nanometres, seconds, total, units}, with `events` also each of them; docs/energy.md has its shape. Joules, watts, joule seconds.
stats::Json energyJson(const EnergyModel& model, const TimingCounters& counters, EnergyDetail detail);
// {total, units} of a part of a kernel: a source line, or what is of none.
stats::Json partJson(const energy::Account& account);
// The same as of a kernel, with all that any machine has and any mechanism brings, at zero: its members are those of every kernel.
stats::Json emptyEnergyJson();
// "12.3 uJ"
std::string scaledText(double value, std::string_view unit);
void appendEnergy(profile::TextPage& page, const EnergyModel& model, const TimingCounters& counters);

}  // namespace warpwright::machines
