#include "compiler/operand_check.hpp"

namespace warpwright::compiler {
namespace {

bool isOwn(const MachineFunction& function, const isa::Operand& operand, u32 words) {
  if (operand.kind == isa::Operand::Kind::predicate)
    return operand.index <= isa::kTruePredicate || operand.index - kFirstVirtualPredicate < function.predicates;
  if (!isRegister(operand) || words == 0) return true;
  if (operand.index >= function.words()) return false;
  const RegisterGroup& group = function.groups[function.groupOf[operand.index]];
  return operand.index + words <= group.first + group.words;
}

bool hasForeignOperand(const MachineFunction& function, const MachineInstruction& instruction) {
  bool foreign = !isOwn(function, instruction.guard, 0);
  for (u32 i = 0; i < instruction.sources.size(); ++i)
    foreign |= !isOwn(function, instruction.sources[i], sourceWords(function, instruction, i));
  for (u32 i = 0; i < instruction.destinations.size(); ++i)
    foreign |= !isOwn(function, instruction.destinations[i], destinationWords(function, instruction, i));
  return foreign;
}

}  // namespace

const MachineInstruction* findForeignOperand(const MachineFunction& function) {
  for (const MachineInstruction& instruction : function.code)
    if (hasForeignOperand(function, instruction)) return &instruction;
  return nullptr;
}

}  // namespace warpwright::compiler
