// Machine code as text.
#pragma once

#include <string>

#include "isa/program.hpp"

namespace warpwright::isa {

// One instruction: "@!P0 LD.GLOBAL.V2.U32 R4, [R2+16]"
// reuse: ControlBits::reuse; ".reuse" stands behind the operands that it names.
std::string disassemble(const Instruction& instruction, u32 addressBits, u8 reuse = 0);

struct ListingOptions {
  bool ptx = true;       // the PTX instruction beside (after //) the first machine instruction that came from it
  bool source = true;    // a line with file:line (and the source text where the file can be read) when it changes
  bool control = false;  // control bits before each instruction, where the program has them
};
// A whole function.
std::string disassemble(const Program& program, const Function& function, const ListingOptions& options = {});

}  // namespace warpwright::isa
