// Access patterns as one reads them.
#pragma once

#include <string>

#include "compiler/patterns/launch_pattern.hpp"

namespace warpwright::compiler {

// The address with its parameters as the compiler knows them: "4 tid.x + 4 ntid.x ctaid.x + a". Nothing for what is not known.
std::string textOf(const AccessPattern& pattern, const isa::Program& program, const isa::Function& kernel);
// Why nothing is known of it.
std::string reasonOf(const AccessPattern& pattern);
// The skeleton with the numbers of a launch: "1024 ctaid.x + 4 tid.x + 0x10000000, by 4096 in each iteration".
std::string textOf(const LaunchPattern& pattern);

}  // namespace warpwright::compiler
