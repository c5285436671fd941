// Address arithmetic with constants moves into the memory instruction.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// [a + constant] becomes [a] with a displacement; a generic access whose address is known and lies in a window becomes an access to that
// space; a load from a known offset in the kernel's parameters becomes a parameter operand. Returns whether anything changed.
bool foldAddresses(MachineFunction& function);

}  // namespace warpwright::compiler
