// The numbers of registers between which a program trades registers for private memory.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "config/machine.hpp"

namespace warpwright::lab {

// From the largest r_base of these kernels (empty: all) down to the least number with which every kernel of the program can be compiled for
// the machine. A kernel that spills however many registers it has begins with its default. Throws Error for a program without device code,
// or without such a kernel.
std::vector<u32> baseToMinimum(const std::string& program, const std::vector<std::string>& kernels, const config::Machine& machine,
                               const std::string& spillFirst);

}  // namespace warpwright::lab
