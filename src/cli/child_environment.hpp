// The environment of a process that runs a program again.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpwright::cli {

// The process's own environment, with these variables in place of its own of the same names.
std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& changes);

}  // namespace warpwright::cli
