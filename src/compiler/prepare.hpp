// The passes between instruction selection and register allocation.
#pragma once

#include "compiler/compiler.hpp"
#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

PreparedFunction prepareFunction(MachineFunction function, const Options& options);

}  // namespace warpwright::compiler
