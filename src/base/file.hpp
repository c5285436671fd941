// Files as strings.
#pragma once

#include <string>

namespace warpwright {

// Reads a whole file. Throws Error when that fails.
std::string readFile(const std::string& path);

}  // namespace warpwright
