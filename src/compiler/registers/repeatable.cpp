#include "compiler/registers/repeatable.hpp"

namespace warpwright::compiler {
namespace {

bool mayBeRepeated(const MachineFunction& function, const MachineInstruction& instruction) {
  if (!isPure(instruction) || !isAlwaysExecuted(instruction) || isa::info(instruction.opcode).family == isa::Family::memory) return false;
  bool readsItself = false;
  forEachDestinationUnit(function, instruction,
                         [&](u32 written) { forEachSourceUnit(function, instruction, [&](u32 read) { readsItself |= read == written; }); });
  return !readsItself;
}

}  // namespace

Repeatable::Repeatable(const MachineFunction& function) : function_(function), touching_(function.units()) {
  for (u32 i = 0; i < function.code.size(); ++i) {
    if (!mayBeRepeated(function, function.code[i])) continue;
    const auto touch = [&](u32 unit) { touching_[unit].push_back(i); };
    forEachSourceUnit(function, function.code[i], touch);
    forEachDestinationUnit(function, function.code[i], touch);
  }
}

Repeatable::Set Repeatable::atEntry() const {
  Set all(static_cast<u32>(function_.code.size()));
  for (u32 i = 0; i < function_.code.size(); ++i) all.set(i);
  return all;
}

bool Repeatable::isUndefined(u32 number, const HeldUnits& held) const {
  bool undefined = true;
  forEachDestinationUnit(function_, function_.code[number], [&](u32 unit) { undefined &= held.isUndefined(unit); });
  return undefined;
}

void Repeatable::execute(u32 number, const HeldUnits& held, Set& set) const {
  forEachDestinationUnit(function_, function_.code[number], [&](u32 unit) {
    for (const u32 other : touching_[unit]) {
      bool writes = false;
      forEachDestinationUnit(function_, function_.code[other], [&](u32 written) { writes |= written == unit; });
      if (writes || !isUndefined(other, held)) set.reset(other);
    }
  });
  if (mayBeRepeated(function_, function_.code[number])) set.set(number);
}

}  // namespace warpwright::compiler
