// What is known of a kernel's code when it is launched.
#pragma once

#include "exec/launch.hpp"
#include "mechanisms/access_patterns/settings.hpp"
#include "mechanisms/access_patterns/statistics.hpp"

namespace warpwright::mechanisms::access_patterns {

AccessPatternStats countsOf(const exec::LaunchRequest& request, const Settings& settings);

}  // namespace warpwright::mechanisms::access_patterns
