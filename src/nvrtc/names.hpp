// From name expressions to the names in the PTX: a device variable a expression, initialised with its address, is compiled along, read off
// the PTX and taken out again.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warpwright::nvrtc {

// Source to append.
std::string nameProbes(const std::vector<std::string>& expressions);
// Expression → name; removes the probes from the PTX.
std::map<std::string, std::string> takeNames(std::string& ptx, const std::vector<std::string>& expressions);

}  // namespace warpwright::nvrtc
