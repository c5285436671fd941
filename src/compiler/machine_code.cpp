#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

u32 MachineFunction::newGroup(u32 groupWords, u32 alignment) {
  const u32 first = words();
  groupOf.insert(groupOf.end(), groupWords, static_cast<u32>(groups.size()));
  groups.push_back({first, groupWords, alignment});
  return first;
}

u32 MachineFunction::newLabel(u32 position) {
  labels.push_back(position);
  return static_cast<u32>(labels.size()) - 1;
}

SourcePosition MachineFunction::positionOf(const MachineInstruction& instruction) const {
  if (instruction.origin == kNone) return {module->sourceName, source().line, source().column};
  const ptx::Instruction& origin = source().body[instruction.origin];
  return {module->sourceName, origin.line, origin.column};
}

bool isRegister(const isa::Operand& operand) { return operand.kind == isa::Operand::Kind::reg; }

bool isAlwaysExecuted(const isa::Instruction& instruction) { return instruction.guard == isa::Operand::makePredicate(isa::kTruePredicate); }

bool replacesDestinations(const isa::Instruction& instruction) {
  return isAlwaysExecuted(instruction) && isa::info(instruction.opcode).destinations.find('E') == std::string_view::npos;
}

bool isPure(const MachineInstruction& instruction) {
  switch (isa::info(instruction.opcode).effect) {
    case isa::Effect::none:
      return true;
    case isa::Effect::reads:
      return instruction.opcode == isa::Opcode::ld && instruction.modifiers.ordering == isa::Ordering::weak;
    case isa::Effect::all:
      return instruction.opcode == isa::Opcode::nop && !isRegister(instruction.destinations[0]);
    case isa::Effect::writes:
    case isa::Effect::meets:
    case isa::Effect::orders:
      return false;
  }
  return false;
}

bool isCall(const isa::Instruction& instruction) {
  return instruction.opcode == isa::Opcode::call || instruction.opcode == isa::Opcode::calli;
}

bool endsBlock(const MachineInstruction& instruction) {
  const isa::Flow flow = isa::info(instruction.opcode).flow;
  return flow == isa::Flow::jump || flow == isa::Flow::leave || flow == isa::Flow::stop || instruction.endsThread;
}

bool namesArguments(isa::Opcode opcode) {
  using isa::Opcode;
  return opcode == Opcode::call || opcode == Opcode::calli || opcode == Opcode::ret || opcode == Opcode::nop;
}

std::vector<bool> findFixedGroups(const MachineFunction& function) {
  std::vector<bool> fixed(function.groups.size());
  const auto note = [&](const isa::Operand& operand) {
    if (isRegister(operand)) fixed[function.groupOf[operand.index]] = true;
  };
  for (const MachineInstruction& instruction : function.code) {
    if (!namesArguments(instruction.opcode)) continue;
    note(instruction.sources[kArgumentsOperand]);
    note(instruction.destinations[0]);
  }
  return fixed;
}

namespace {

u32 wordsOfOperand(const MachineFunction& function, const isa::Instruction& instruction, const isa::Operand& operand,
                   std::string_view letters, u32 position) {
  if (operand.kind != isa::Operand::Kind::reg) return 0;
  if (operand.index == kStackWord) return 1;
  if (namesArguments(instruction.opcode) && position >= letters.size()) return instruction.vector;
  return position < letters.size() ? isa::operandWords(instruction, letters[position], function.addressBits) : 0;
}

}  // namespace

u32 destinationWords(const MachineFunction& function, const isa::Instruction& instruction, u32 operand) {
  return wordsOfOperand(function, instruction, instruction.destinations[operand], isa::info(instruction.opcode).destinations, operand);
}

u32 sourceWords(const MachineFunction& function, const isa::Instruction& instruction, u32 operand) {
  return wordsOfOperand(function, instruction, instruction.sources[operand], isa::info(instruction.opcode).sources, operand);
}

void replaceCode(MachineFunction& function, std::vector<MachineInstruction> code, const std::vector<u32>& newPosition) {
  for (u32& label : function.labels) label = newPosition[label];
  function.code = std::move(code);
}

void becomeNop(MachineInstruction& instruction) {
  instruction.opcode = isa::Opcode::nop;
  instruction.destinations = {};
  instruction.sources = {};
  instruction.symbol.reset();
}

void removeNops(MachineFunction& function) {
  std::vector<MachineInstruction> kept;
  std::vector<u32> newPosition;
  kept.reserve(function.code.size());
  newPosition.reserve(function.code.size() + 1);
  for (MachineInstruction& instruction : function.code) {
    newPosition.push_back(static_cast<u32>(kept.size()));
    if (instruction.opcode != isa::Opcode::nop || isRegister(instruction.destinations[0])) kept.push_back(instruction);
  }
  newPosition.push_back(static_cast<u32>(kept.size()));
  replaceCode(function, std::move(kept), newPosition);
}

}  // namespace warpwright::compiler
