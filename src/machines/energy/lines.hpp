// The energy of a kernel by source line.
#pragma once

#include <map>
#include <string>

#include "machines/timing_profile.hpp"

namespace warpwright::machines {

struct LineEnergies {
  std::map<profile::SourceLine, energy::Account> lines;
  energy::Account rest;  // of no line: leakage, refresh, time; mechanisms, helpers, what other launches left behind
};

// Lines and rest make up EnergyModel::account() of the kernel's counters, exactly. Without TimingOptions::lines all is rest.
LineEnergies energyOfLines(const EnergyModel& model, const KernelTiming& kernel);
std::string energyTable(const KernelTiming& kernel, const EnergyModel& model, const profile::ReportOptions& options);

}  // namespace warpwright::machines
