// Where the threads of a block access shared memory, as far as the code tells.
#pragma once

#include <vector>

#include "compiler/machine_code.hpp"
#include "isa/shared_access.hpp"

namespace warpwright::compiler {

// Loads, stores and atomics of the function whose addresses are sums of products of thread indices, block sizes, constants and what shifts
// and masks make of these, perhaps with an unknown addend that is the same for all lanes of a warp (lane patterns, affine.hpp). A variable
// that a loop shifts by constant bits is known in each iteration (loop_growth.hpp). Others are left out: what they access is not known. As
// there, integers are taken not to overflow.
std::vector<isa::SharedAccess> findSharedAccesses(const MachineFunction& function);

}  // namespace warpwright::compiler
