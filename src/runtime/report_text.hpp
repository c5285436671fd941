// What a program's kernels did, as text: a summary by time, then each kernel's profile, timing and limits together.
#pragma once

#include <string>

#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"

namespace warpwright::runtime {

// kernel: tables of kernels with this in their names (as people read them) alone; empty: of all. Those that took longest come first, and
// those without timing last, in the order of their first launch.
std::string reportText(const profile::Profile& profile, const machines::TimingProfile& timing, const std::string& kernel,
                       profile::ReportOptions options);

}  // namespace warpwright::runtime
