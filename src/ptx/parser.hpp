// PTX text → Module.
#pragma once

#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace warpwright::ptx {

// Parses one module. Throws warpwright::Error with file, line, column, the offending text, the kernels that contain it
// and, for a misspelt or unsupported form, what would be right. Never crashes or hangs on malformed text.
// Text may end in NULs (as PTX embedded in fat binaries does).
Module parse(std::string_view text, std::string sourceName);

}  // namespace warpwright::ptx
