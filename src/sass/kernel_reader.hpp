// Reads a kernel's trace: the header, then block after block, and in each warp after warp.
#pragma once

#include <memory>

#include "sass/kernel_trace.hpp"
#include "sass/line_reader.hpp"

namespace warpwright::sass {

// Throws Error, with file and line, for what is damaged, incomplete or unknown.
std::shared_ptr<KernelTrace> readKernel(LineReader& lines);

}  // namespace warpwright::sass
