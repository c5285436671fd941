// How long a register stays untouched after its last use where there are registers to spare.
#pragma once

#include <vector>

#include "compiler/control_flow.hpp"

namespace warpwright::compiler {

// Per point of the time line (live_ranges.hpp): the point up to which a register stays taken whose value ends there. Never beyond the end
// of the basic block.
std::vector<u32> reuseDelays(const MachineFunction& function, const ControlFlow& flow);

}  // namespace warpwright::compiler
