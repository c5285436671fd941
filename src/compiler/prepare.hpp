// The passes between instruction selection and register allocation.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

MachineFunction prepareFunction(MachineFunction function);

}  // namespace warpwright::compiler
