// The timing of a kernel as text and as data.
#pragma once

#include <string>

#include "machines/timing_profile.hpp"

namespace warpwright::machines {

// energy: null for none.
std::string timingTable(const KernelTiming& kernel, const config::Machine& machine, const EnergyModel* energy,
                        const profile::ReportOptions& options);
// Lost issue slots by source line.
std::string stallTable(const KernelTiming& kernel, const profile::ReportOptions& options);

// What the memory system did for each source line.
std::string trafficTable(const KernelTiming& kernel, const profile::ReportOptions& options);

}  // namespace warpwright::machines
