// Whether a launch can be run again, and in another order.
#pragma once

#include "isa/program.hpp"

namespace warpwright::sampling {

// Whether all that the kernel leaves behind are bytes of global memory that it stores to: not allocations (malloc and free in kernels), and
// not surfaces, of whose stores observers hear too late. It may call every function of its program that is no kernel.
bool isReplayable(const isa::Program& program, const isa::Function& kernel);

// Whether a block of the kernel may wait for another one, or do what depends on how many were there before: it reads global memory as
// others write it meanwhile (volatile and strong loads, those that pass first-level caches by), or learns what an atomic has found.
bool mayHearOfOthers(const isa::Program& program, const isa::Function& kernel);

}  // namespace warpwright::sampling
