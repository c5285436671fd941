// Kernels by the name that a user knows: as in the PTX, or as in the C++ source.
#pragma once

#include <string>

#include "isa/program.hpp"

namespace warpwright::runtime {

bool hasKernel(const isa::Program& program, const std::string& name);

// The kernel of that name, mangled or not, with or without its parameter list; the only kernel when the name is empty.
// Throws Error that lists the kernels when there is none, or more than one.
const isa::Function& findKernel(const isa::Program& program, const std::string& name);

}  // namespace warpwright::runtime
