// Access patterns of a launch, for mechanisms that go by them: in launchBegins(), with compiler::kAccessPatterns among Kind::analyses.
#pragma once

#include "compiler/patterns/granularity.hpp"
#include "exec/launch.hpp"
#include "sm/launch_notes.hpp"

namespace warpwright::mechanisms {

compiler::LaunchValues launchValues(const exec::Launch& launch);

// Bytes that a load of the kernel fetches at once from global or private memory, by pc of the program; the least for loads of functions
// that it calls; 0 for all else, spill code among it, and everywhere in a program that was compiled without the analysis.
sm::PerInstruction<u32> loadGranularities(const exec::LaunchRequest& request, const compiler::GranularityLimits& limits,
                                          const compiler::GranularityRules& rules);

}  // namespace warpwright::mechanisms
