// Whether a launch can be run again.
#pragma once

#include "isa/program.hpp"

namespace warpwright::sampling {

// Whether all that kernels of the program leave behind are bytes of global memory that they store to: not allocations (malloc and free in
// kernels), and not surfaces, of whose stores observers hear too late.
bool isReplayable(const isa::Program& program);

}  // namespace warpwright::sampling
