// From a line of a trace to an instruction of our machine, and what it accesses.
#pragma once

#include "base/error.hpp"
#include "isa/instruction.hpp"
#include "sass/instruction_line.hpp"
#include "sass/opcodes.hpp"

namespace warpwright::sass {

// What is the same whenever the instruction executes.
struct CodeEntry {
  isa::Instruction instruction;
  Form form{};
  isa::Space space = isa::Space::generic;  // of its accesses; generic: by their addresses
  bool isLoad = false, isStore = false, isAtomic = false;
  u32 bytes = 0;                                // that a lane accesses; 0: it accesses nothing
  LaneMask lanes = LaneMask::first(kWarpSize);  // that may access it
};

// Throws Error for an opcode, a shape or registers that there are not.
CodeEntry lower(const InstructionLine& line, u32 smVersion, const SourcePosition& where);

}  // namespace warpwright::sass
