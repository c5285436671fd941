#include "compiler/registers/repeatable.hpp"

#include <algorithm>

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

Repeatable::Repeatable(const MachineFunction& function, std::vector<u32> numbers) : function_(function), numbers_(std::move(numbers)) {
  std::sort(numbers_.begin(), numbers_.end());
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  for (u32 i = 0; i < numbers_.size(); ++i) {
    const MachineInstruction& instruction = function.code[numbers_[i]];
    if (!mayBeRepeated(function, instruction)) continue;
    const auto touch = [&](u32 unit) { touching_.emplace_back(unit, i); };
    forEachSourceUnit(function, instruction, touch);
    forEachDestinationUnit(function, instruction, touch);
  }
  std::sort(touching_.begin(), touching_.end());
}

Repeatable::Set Repeatable::atEntry() const {
  Set all(static_cast<u32>(numbers_.size()));
  for (u32 i = 0; i < numbers_.size(); ++i) all.set(i);
  return all;
}

u32 Repeatable::indexOf(u32 number) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  return found == numbers_.end() || *found != number ? kNone : static_cast<u32>(found - numbers_.begin());
}

bool Repeatable::test(const Set& set, u32 number) const {
  const u32 index = indexOf(number);
  return index != kNone && set.test(index);
}

bool Repeatable::writes(u32 number, u32 unit) const {
  bool result = false;
  forEachDestinationUnit(function_, function_.code[number], [&](u32 written) { result |= written == unit; });
  return result;
}

bool Repeatable::isUndefined(u32 number, const HeldUnits& held) const {
  bool undefined = true;
  forEachDestinationUnit(function_, function_.code[number], [&](u32 unit) { undefined &= held.isUndefined(unit); });
  return undefined;
}

void Repeatable::execute(u32 number, const HeldUnits& held, Set& set) const {
  if (touching_.empty()) return;
  forEachDestinationUnit(function_, function_.code[number], [&](u32 unit) {
    auto touch = std::lower_bound(touching_.begin(), touching_.end(), std::pair{unit, u32{0}});
    for (; touch != touching_.end() && touch->first == unit; ++touch)
      if (writes(numbers_[touch->second], unit) || !isUndefined(numbers_[touch->second], held)) set.reset(touch->second);
  });
  const u32 index = indexOf(number);
  if (index != kNone && mayBeRepeated(function_, function_.code[number])) set.set(index);
}

}  // namespace warpwright::compiler
