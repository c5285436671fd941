#include "compiler/registers/reload.hpp"

#include <algorithm>

#include "compiler/registers/code_editor.hpp"
#include "compiler/registers/spill_slots.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

Reloads::Reloads(MachineFunction& function, UnitClass unitClass) : function_(function), unitClass_(unitClass) {}

std::vector<MachineInstruction> Reloads::make(std::vector<u32> units, std::span<const u32> recipe,
                                              const std::function<bool(u32)>& canRepeat, const MachineInstruction& neighbour) const {
  std::sort(units.begin(), units.end());
  std::vector<MachineInstruction> result;
  std::vector<u32> repeated;
  for (u32 i = 0; i < units.size(); ++i) {
    const u32 unit = units[i], position = recipe[unit];
    if (std::find(repeated.begin(), repeated.end(), unit) != repeated.end()) continue;
    if (unitClass_ == UnitClass::predicates) {
      result.push_back(restore(unit, neighbour));
      continue;
    }
    if (position != kNone && asksForAll(position, units) && canRepeat(position)) {
      MachineInstruction& copy = result.emplace_back(function_.code[position]);
      copy.role = Role::rematerialised;
      forEachDestinationUnit(function_, copy, [&](u32 written) { repeated.push_back(written); });
      continue;
    }
    const bool pair = i + 1 < units.size() && units[i + 1] == unit + 1 && formsPair(function_, unit);
    result.push_back(load(unit, pair ? 2 : 1, neighbour));
    i += pair;
  }
  return result;
}

// A computation of two words is repeated for both or not at all: the one that is not asked for would take a register.
bool Reloads::asksForAll(u32 position, std::span<const u32> units) const {
  bool all = true;
  forEachDestinationUnit(function_, function_.code[position],
                         [&](u32 unit) { all &= std::find(units.begin(), units.end(), unit) != units.end(); });
  return all;
}

MachineInstruction Reloads::load(u32 unit, u32 words, const MachineInstruction& neighbour) const {
  MachineInstruction result = addedInstruction(neighbour, Role::reload, Opcode::ld, words == 2 ? DataType::u64 : DataType::u32);
  result.spill = true;
  result.modifiers.space = isa::Space::local;
  result.destinations[0] = Operand::makeRegister(unit);
  result.sources[0] = spillBase(function_);
  return result;
}

MachineInstruction Reloads::restore(u32 unit, const MachineInstruction& neighbour) const {
  const u32 index = unit - function_.words();
  MachineInstruction result = addedInstruction(neighbour, Role::restore, Opcode::setp, DataType::u32);
  result.destinations[0] = Operand::makePredicate(kFirstVirtualPredicate + index);
  result.sources = {Operand::makeRegister(function_.predicateHolds + index), Operand::makeImmediate(0), Operand{}, Operand{}};
  result.modifiers.compare = isa::Compare::ne;
  return result;
}

}  // namespace warpwright::compiler
