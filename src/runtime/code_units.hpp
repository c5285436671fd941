// The PTX in a file that a user names.
#pragma once

#include <string>
#include <vector>

#include "compiler/compiler.hpp"
#include "config/machine.hpp"
#include "ptx/module.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::runtime {

struct CodeUnit {
  std::string name;  // for messages
  PtxUnit code;
};

// Each translation unit of a PTX file, or of a program, object file or archive of nvcc or warpwright-cc: the PTX for the machine's
// compute capability, where there are several. Throws Error when there is none.
std::vector<CodeUnit> codeUnits(const std::string& file, const config::Machine& machine);

// The unit as a module. Throws Error.
ptx::Module parseUnit(const CodeUnit& unit);
// How it is compiled for the machine with no more than maxRegisters.
compiler::Options optionsFor(const CodeUnit& unit, const config::Machine& machine, u32 maxRegisters);

}  // namespace warpwright::runtime
