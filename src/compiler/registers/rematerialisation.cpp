#include "compiler/registers/rematerialisation.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::SpecialRegister;

bool neverChanges(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
      return false;
    default:
      return true;
  }
}

bool isCheap(const MachineInstruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mov:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::shl:
    case Opcode::and_:
      return !isa::isFloat(instruction.type);
    case Opcode::s2r:
      return neverChanges(instruction.modifiers.special);
    default:
      return false;
  }
}

bool readsRegisters(const MachineInstruction& instruction) {
  for (const isa::Operand& source : instruction.sources)
    if (isRegister(source) || source.kind == isa::Operand::Kind::predicate) return true;
  return false;
}

}  // namespace

bool Rematerialisation::isRepeatable(u32 position) const {
  const MachineInstruction& instruction = function_.code[position];
  const isa::Modifiers& m = instruction.modifiers;
  // Argument registers are free for other values beside their calls.
  if (instruction.passesArgument) return false;
  if (!isCheap(instruction) || !isAlwaysExecuted(instruction) || instruction.addsFrame || m.carryIn || m.carryOut) return false;
  bool stable = true;
  forEachSourceUnit(function_, instruction,
                    [&](u32 unit) { stable &= unit < function_.words() && definitions_.isStableFrom(unit, position); });
  forEachDestinationUnit(function_, instruction, [&](u32 unit) { stable &= definitions_.onlyWriter(unit) == position; });
  return stable;
}

u32 Rematerialisation::recipeOf(u32 unit) const {
  const u32 writer = definitions_.onlyWriter(unit);
  return writer != kNone && isRepeatable(writer) ? writer : kNone;
}

bool Rematerialisation::isConstant(u32 recipe) const { return !readsRegisters(function_.code[recipe]); }

}  // namespace warpwright::compiler
