#include "compiler/schedule/block_units.hpp"

#include <algorithm>

namespace warpwright::compiler {

BlockUnits::BlockUnits(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex) {
  const NumberSet& in = liveness.liveIn(blockIndex);
  const NumberSet& out = liveness.liveOut(blockIndex);
  std::vector<u32> numbers(function.units(), kNone);
  const auto numberOf = [&](u32 unit) {
    u32& number = numbers[unit];
    if (number == kNone) {
      number = static_cast<u32>(units_.size());
      units_.push_back({unit < function.words(), in.test(unit), out.test(unit), 0});
    }
    return number;
  };
  for (u32 i = block.begin; i < block.end; ++i) {
    const u32 first = static_cast<u32>(reads_.size());
    forEachSourceUnit(function, function.code[i], [&](u32 unit) {
      if (unit != kStackWord) addRead(numberOf(unit), first);
    });
    forEachDestinationUnit(function, function.code[i], [&](u32 unit) {
      if (unit != kStackWord) writes_.push_back(numberOf(unit));
    });
    readsEnd_.push_back(static_cast<u32>(reads_.size()));
    writesEnd_.push_back(static_cast<u32>(writes_.size()));
  }
  in.forEach([&](u32 unit) {
    if (unit != kStackWord) ++(unit < function.words() ? coming_.words : coming_.predicates);
  });
}

void BlockUnits::addRead(u32 unit, u32 firstOfInstruction) {
  ++units_[unit].reads;
  const auto known = std::find_if(reads_.begin() + firstOfInstruction, reads_.end(), [&](const Read& read) { return read.unit == unit; });
  if (known == reads_.end()) {
    reads_.push_back({unit, 1});
  } else {
    ++known->times;
  }
}

}  // namespace warpwright::compiler
