// Puts new instructions between those of a function, on edges of its control flow too.
#pragma once

#include <vector>

#include "compiler/control_flow.hpp"

namespace warpwright::compiler {

class CodeEditor {
 public:
  CodeEditor(MachineFunction& function, const ControlFlow& flow);

  // Positions are those from before the change. In front of an instruction, behind its labels.
  void before(u32 position, MachineInstruction instruction) { before_[position].push_back(std::move(instruction)); }
  // Behind an instruction that does not end its block, ahead of the labels of the next one.
  void after(u32 position, MachineInstruction instruction) { after_[position].push_back(std::move(instruction)); }
  // Where control goes from one block to another, and nowhere else. The edge gets a block of its own where it needs one.
  void onEdge(u32 from, u32 to, const std::vector<MachineInstruction>& instructions);

  void apply();

 private:
  struct Trampoline {
    u32 label = 0, target = 0;  // target: position
    std::vector<MachineInstruction> code;
  };
  void redirect(MachineInstruction& branch, u32 to, u32 label);

  MachineFunction& function_;
  const ControlFlow& flow_;
  Graph predecessors_;
  std::vector<std::vector<MachineInstruction>> before_, after_;
  std::vector<Trampoline> trampolines_;
};

// The number, the role and the source location that an instruction added beside `neighbour` has.
MachineInstruction addedInstruction(const MachineInstruction& neighbour, Role role, isa::Opcode opcode, isa::DataType type);

}  // namespace warpwright::compiler
