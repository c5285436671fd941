#include "compiler/dead_code.hpp"

#include <algorithm>

#include "compiler/control_flow.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;

bool hasReductionForm(isa::AtomicOp operation) { return operation != isa::AtomicOp::cas && operation != isa::AtomicOp::exch; }

// An atomic whose old value nobody reads is a reduction.
void dropUnreadResult(const MachineFunction& function, MachineInstruction& instruction, const std::vector<bool>& read) {
  if (instruction.opcode != Opcode::atom || !hasReductionForm(instruction.modifiers.atomic)) return;
  bool used = false;
  forEachDestinationUnit(function, instruction, [&](u32 unit) { used |= read[unit]; });
  if (!used) instruction.destinations[0] = isa::Operand{};
}

// A branch over a branch:  @p bra next; bra away; next:  →  @!p bra away
void joinBranches(MachineFunction& function, u32 position) {
  MachineInstruction& over = function.code[position];
  MachineInstruction& away = function.code[position + 1];
  if (away.opcode != Opcode::bra || !isAlwaysExecuted(away) || isAlwaysExecuted(over) || branchTargets(function)[position + 1]) return;
  over.target = away.target;
  over.guard.negated = !over.guard.negated;
  becomeNop(away);
}

}  // namespace

bool hasEffect(const MachineInstruction& instruction) {
  const bool movesStack = isRegister(instruction.destinations[0]) && instruction.destinations[0].index == kStackWord;
  return !isPure(instruction) || movesStack;
}

// An instruction is needed when it does something, or when it writes a unit that a needed instruction reads.
void removeDeadCode(MachineFunction& function) {
  std::vector<std::vector<u32>> writers(function.units());
  for (u32 i = 0; i < function.code.size(); ++i)
    forEachDestinationUnit(function, function.code[i], [&](u32 unit) { writers[unit].push_back(i); });
  std::vector<bool> needed(function.code.size()), read(function.units());
  std::vector<u32> work;
  const auto need = [&](u32 position) {
    if (needed[position]) return;
    needed[position] = true;
    work.push_back(position);
  };
  for (u32 i = 0; i < function.code.size(); ++i)
    if (hasEffect(function.code[i])) need(i);
  while (!work.empty()) {
    const u32 position = work.back();
    work.pop_back();
    forEachSourceUnit(function, function.code[position], [&](u32 unit) {
      for (const u32 writer : writers[unit]) need(writer);
      writers[unit].clear();
      read[unit] = true;
    });
  }
  for (u32 i = 0; i < function.code.size(); ++i) {
    if (!needed[i]) becomeNop(function.code[i]);
    dropUnreadResult(function, function.code[i], read);
  }
  removeNops(function);
}

void removeEmptyBranches(MachineFunction& function) {
  for (u32 i = 0; i < function.code.size(); ++i) {
    MachineInstruction& instruction = function.code[i];
    if (instruction.opcode != Opcode::bra) continue;
    if (function.labels[instruction.target] == i + 1) becomeNop(instruction);
    if (function.labels[instruction.target] == i + 2) joinBranches(function, i);
  }
  removeNops(function);
}

}  // namespace warpwright::compiler
