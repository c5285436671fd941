// 64-bit arithmetic of which only the low word is used becomes 32-bit arithmetic.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Shared, local, constant and parameter memory lie below 2^32: with 64-bit addresses, too, an access reads one word of its address. What
// computes high words that nothing else reads computes the low ones alone. Returns whether anything changed.
bool narrowWords(MachineFunction& function);

}  // namespace warpwright::compiler
