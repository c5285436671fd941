// A profile as text and as data.
#pragma once

#include <string>
#include <vector>

#include "profile/kernel_profile.hpp"
#include "stats/json_type.hpp"

namespace warpwright::profile {

inline constexpr u32 kSchemaVersion = 1;

// The table of a kernel, and of its lines where the options ask for it.
std::string kernelText(const KernelProfile& kernel, const ReportOptions& options);
std::string kernelTable(const KernelProfile& kernel, const ReportOptions& options);
std::string lineTable(const KernelProfile& kernel, const ReportOptions& options);
stats::Json profileJson(const std::vector<const KernelProfile*>& kernels, const Geometry& geometry);

}  // namespace warpwright::profile
