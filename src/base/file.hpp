// Files as strings.
#pragma once

#include <string>

namespace warpwright {

// Reads a whole file. Throws Error when that fails.
std::string readFile(const std::string& path);
// Writes a whole file, over what is there. Throws Error when that fails.
void writeFile(const std::string& path, const std::string& text);

}  // namespace warpwright
