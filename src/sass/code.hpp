// The code of a kernel, as far as its trace shows it: an instruction for each PC that executed.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "isa/program.hpp"
#include "sass/kernel_header.hpp"
#include "sass/lowering.hpp"

namespace warpwright::sass {

class Code {
 public:
  // The number of the line's instruction, which it gets when it is seen first. Throws Error for one that cannot be executed.
  u32 numberOf(const InstructionLine& line, const KernelHeader& header, const SourcePosition& where);
  const CodeEntry& at(u32 number) const { return entries_[number].entry; }
  const std::string& opcode(u32 number) const { return entries_[number].opcode; }  // with its modifiers

  // Instructions by their places in the program, with the gaps of those that never executed.
  struct Placed {
    std::vector<isa::Instruction> program;
    std::vector<std::string> texts;  // as the trace has them, by number
    std::vector<u32> textOf;         // by place: the number; none where there is no instruction
    std::vector<Pc> placeOf;         // by number
  };
  // Throws Error where the code is spread too far.
  Placed place(const SourcePosition& where) const;

 private:
  struct Known {
    u64 pc = 0;
    // PCs are counted from the beginning of each function, so that several instructions may have one: this is the so-manieth.
    u32 layer = 0;
    std::string operation, opcode;
    CodeEntry entry;
    u32 next = 0;  // number + 1 of another one at the same PC; 0: there is none
  };

  std::vector<Known> entries_;
  std::unordered_map<u64, u32> byPc_;
};

}  // namespace warpwright::sass
