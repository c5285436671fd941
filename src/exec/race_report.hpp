// What the race detector found, in words.
#pragma once

#include "exec/launch.hpp"

namespace warpwright::exec {

// Adds the races to the result: the first is the launch's failure where it has no other, the rest are warnings.
void reportRaces(const RaceDetector& races, const LaunchRequest& request, const GlobalMemory& memory, LaunchResult& result);

}  // namespace warpwright::exec
