// An independent check of a register allocation.
#pragma once

#include <string>
#include <vector>

#include "compiler/register_allocation.hpp"

namespace warpwright::compiler {

// What is wrong, one line each; empty when the allocation is right. Checked: every register in range and none on the stack pointer,
// groups together and aligned, and, by following the code forward, no read of a register whose value another one has replaced.
// Uses neither liveness nor live ranges.
std::vector<std::string> verifyAllocation(const MachineFunction& function, const Allocation& allocation, u32 maxRegisters);

}  // namespace warpwright::compiler
