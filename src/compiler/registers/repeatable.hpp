// Which instructions would give the same results again: a part of verifyTranslation.
#pragma once

#include <utility>
#include <vector>

#include "compiler/machine_code.hpp"
#include "compiler/number_set.hpp"
#include "compiler/registers/held_units.hpp"

namespace warpwright::compiler {

// An instruction can be repeated as long as nothing has written what it reads or writes since it was executed. Where nothing has written
// its results on any path they are undefined, and repeating it does no harm.
class Repeatable {
 public:
  // Follows the instructions of these numbers, as they are all that is repeated.
  Repeatable(const MachineFunction& function, std::vector<u32> numbers);

  using Set = NumberSet;  // of the instructions that can be repeated
  Set atEntry() const;
  // Instruction `number` is executed; `held` is the state before it.
  void execute(u32 number, const HeldUnits& held, Set& set) const;
  bool test(const Set& set, u32 number) const;

 private:
  // Where a number stands in numbers_; kNone when it is not followed.
  u32 indexOf(u32 number) const;
  bool writes(u32 number, u32 unit) const;
  bool isUndefined(u32 number, const HeldUnits& held) const;

  const MachineFunction& function_;
  std::vector<u32> numbers_;                   // sorted
  std::vector<std::pair<u32, u32>> touching_;  // units, each with the index of an instruction that reads or writes it and may be repeated
};

}  // namespace warpwright::compiler
