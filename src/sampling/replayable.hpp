// Whether a launch can be run again.
#pragma once

#include "isa/program.hpp"

namespace warpwright::sampling {

// Whether all that the kernel leaves behind are bytes of global memory that it stores to: not allocations (malloc and free in kernels), and
// not surfaces, of whose stores observers hear too late. It may call every function of its program that is no kernel.
bool isReplayable(const isa::Program& program, const isa::Function& kernel);

}  // namespace warpwright::sampling
