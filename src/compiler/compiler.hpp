// ptx::Module → isa::Program: a plain list of passes (see compiler.cpp), one file each.
#pragma once

#include "isa/program.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {

struct Options {
  u32 maxRegisters = isa::kMaxRegisters;  // upper bound for every function; .maxnreg and launch bounds may lower it
};

// Throws Error (PTX position, cause, remedy) for what has no machine code.
isa::Program compile(const ptx::Module& module, const Options& options = {});

}  // namespace warpwright::compiler
