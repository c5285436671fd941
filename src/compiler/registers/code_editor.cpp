#include "compiler/registers/code_editor.hpp"

namespace warpwright::compiler {

using isa::Opcode;

MachineInstruction addedInstruction(const MachineInstruction& neighbour, Role role, Opcode opcode, isa::DataType type) {
  MachineInstruction result;
  result.role = role;
  result.opcode = opcode;
  result.type = type;
  result.origin = neighbour.origin;
  result.sourceFile = neighbour.sourceFile;
  result.sourceLine = neighbour.sourceLine;
  result.ptxLine = neighbour.ptxLine;
  return result;
}

CodeEditor::CodeEditor(MachineFunction& function, const ControlFlow& flow)
    : function_(function),
      flow_(flow),
      predecessors_(reversed(flow.successors)),
      before_(function.code.size()),
      after_(function.code.size()) {}

void CodeEditor::onEdge(u32 from, u32 to, const std::vector<MachineInstruction>& instructions) {
  const BasicBlock &source = flow_.blocks[from], &target = flow_.blocks[to];
  const MachineInstruction& last = function_.code[source.end - 1];
  const bool branches = last.opcode == Opcode::bra || last.opcode == Opcode::brx;
  const auto append = [&](std::vector<MachineInstruction>& list) { list.insert(list.end(), instructions.begin(), instructions.end()); };
  // A guarded exit goes on for the lanes that stay: they are the only ones to be served, behind it.
  if (flow_.successors[from].size() == 1 && !flow_.leaves[from]) return append(branches ? before_[source.end - 1] : after_[source.end - 1]);
  if (predecessors_[to].size() == 1 && to != 0) return append(before_[target.begin]);
  const bool jumpsThere = last.opcode == Opcode::brx || (last.opcode == Opcode::bra && function_.labels[last.target] == target.begin);
  if (!jumpsThere) return append(after_[source.end - 1]);
  const u32 label = function_.newLabel(0);
  redirect(function_.code[source.end - 1], to, label);
  trampolines_.push_back({label, target.begin, instructions});
}

void CodeEditor::redirect(MachineInstruction& branch, u32 to, u32 label) {
  if (branch.opcode == Opcode::bra) {
    branch.target = label;
    return;
  }
  // The table may serve other branches as well.
  std::vector<u32> table = function_.branchTables[branch.target];
  for (u32& entry : table)
    if (function_.labels[entry] == flow_.blocks[to].begin) entry = label;
  branch.target = static_cast<u32>(function_.branchTables.size());
  function_.branchTables.push_back(std::move(table));
}

void CodeEditor::apply() {
  std::vector<MachineInstruction> old = std::move(function_.code), code;
  std::vector<u32> newPosition;
  for (u32 i = 0; i < old.size(); ++i) {
    newPosition.push_back(static_cast<u32>(code.size()));
    std::move(before_[i].begin(), before_[i].end(), std::back_inserter(code));
    code.push_back(old[i]);
    std::move(after_[i].begin(), after_[i].end(), std::back_inserter(code));
  }
  newPosition.push_back(static_cast<u32>(code.size()));
  std::vector<u32> backLabels;
  for (const Trampoline& trampoline : trampolines_) backLabels.push_back(function_.newLabel(trampoline.target));
  replaceCode(function_, std::move(code), newPosition);
  for (u32 t = 0; t < trampolines_.size(); ++t) {
    Trampoline& trampoline = trampolines_[t];
    function_.labels[trampoline.label] = static_cast<u32>(function_.code.size());
    const MachineInstruction neighbour = trampoline.code.front();
    std::move(trampoline.code.begin(), trampoline.code.end(), std::back_inserter(function_.code));
    MachineInstruction back = addedInstruction(neighbour, Role::jump, Opcode::bra, isa::DataType::u32);
    back.target = backLabels[t];
    function_.code.push_back(back);
  }
}

}  // namespace warpwright::compiler
