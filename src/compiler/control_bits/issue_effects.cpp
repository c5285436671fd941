#include "compiler/control_bits/issue_effects.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

using isa::Operand;

void addUnits(const isa::Instruction& instruction, const Operand& operand, char letter, u32 addressBits, std::vector<u32>& units) {
  if (operand.kind == Operand::Kind::predicate && operand.index != isa::kTruePredicate) units.push_back(kRegisterUnits + operand.index);
  if (operand.kind != Operand::Kind::reg) return;
  const u32 words = std::max(1u, isa::operandWords(instruction, letter, addressBits));
  for (u32 word = 0; word < words; ++word) units.push_back(operand.index + word);
}

// What comes next is fetched when it has executed.
bool decidesWhatFollows(isa::Flow flow) {
  return flow == isa::Flow::jump || flow == isa::Flow::call || flow == isa::Flow::leave || flow == isa::Flow::pause;
}

IssueEffects effectsOf(const isa::Instruction& instruction, u32 addressBits, bool isKernel, const isa::IssueTiming& timing) {
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  IssueEffects effects;
  effects.production = isa::productionOf(instruction, timing);
  effects.pipe = isa::resultPipeOf(instruction);
  if (effects.production == isa::Production::fixed) {
    effects.ownLatency = timing.latency[static_cast<std::size_t>(isa::latencyOf(instruction))];
    for (std::size_t to = 0; to < isa::kResultPipes; ++to)
      effects.latency[to] = effects.ownLatency + (isa::comesLater(effects.pipe, static_cast<isa::ResultPipe>(to)) ? timing.otherPipe : 0);
  }
  for (std::size_t i = 0; i < row.destinations.size(); ++i)
    addUnits(instruction, instruction.destinations[i], row.destinations[i], addressBits, effects.destinations);
  for (std::size_t i = 0; i < row.sources.size(); ++i)
    addUnits(instruction, instruction.sources[i], row.sources[i], addressBits, effects.sources);
  addUnits(instruction, instruction.guard, 'P', addressBits, effects.sources);
  if (instruction.guard.index != isa::kTruePredicate) effects.guard = kRegisterUnits + instruction.guard.index;
  effects.guardLatency = timing.guard;
  effects.isAccess = isa::unitOf(instruction) == isa::Unit::load_store;
  if (effects.isAccess) effects.accessDistance = timing.memory;
  effects.readsLater = effects.production == isa::Production::variable && row.flow == isa::Flow::next;
  effects.awaitsAll = row.flow == isa::Flow::call || (row.flow == isa::Flow::leave && instruction.opcode == isa::Opcode::ret && !isKernel);
  if (decidesWhatFollows(row.flow)) effects.leastDistance = timing.branch;
  return effects;
}

}  // namespace

std::vector<IssueEffects> issueEffects(const isa::Program& program, const isa::Function& function, const isa::IssueTiming& timing) {
  std::vector<IssueEffects> effects;
  for (Pc pc = function.begin; pc < function.end; ++pc)
    effects.push_back(effectsOf(program.code[pc], program.addressBits, function.isKernel, timing));
  return effects;
}

}  // namespace warpwright::compiler
