// ptx::Module → isa::Program: a plain list of passes (see compiler.cpp), one file each.
#pragma once

#include "isa/program.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {

struct Options {
  u32 maxRegisters = isa::kMaxRegisters;  // upper bound for every function; .maxnreg is recorded, not enforced, as nothing spills
  // false: code without clean-up and register allocation, with virtual registers and the stack pointer in virtual register 0. Only the
  // oracle can run it; tests compare it with the finished code.
  bool finish = true;
};

// Throws Error (PTX position, cause, remedy) for what has no machine code.
isa::Program compile(const ptx::Module& module, const Options& options = {});

}  // namespace warpwright::compiler
