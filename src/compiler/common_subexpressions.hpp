// What has been computed already is not computed again.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// An instruction that repeats one which dominates it, with operands that still hold the same values, becomes a copy of its result. Memory
// that may change, lanes that meet and clocks are never taken for repetitions. Returns whether anything changed.
bool shareCommonSubexpressions(MachineFunction& function);

}  // namespace warpwright::compiler
