// A design as files.
#pragma once

#include <string>

#include "rtl/design.hpp"

namespace warpwright::rtl {

// A file for each module, a testbench with its inputs and the C++ functions' outputs, and a README with the equations. Throws Error if a
// file cannot be written.
void writePackage(const Package& package, const std::string& title, const std::string& folder);

}  // namespace warpwright::rtl
