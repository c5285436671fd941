// The driver: from a command line to files.
#pragma once

#include <string>
#include <vector>

namespace warpwright::cc {

// Does what the command line (without the program's name) asks for. `executable` is the driver's own path.
// Returns the exit status; throws Error for what the user must change.
int runDriver(const std::string& executable, const std::vector<std::string>& arguments);

}  // namespace warpwright::cc
