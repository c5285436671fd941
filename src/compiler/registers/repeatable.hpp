// Which instructions would give the same results again: a part of verifyTranslation.
#pragma once

#include <vector>

#include "compiler/bit_set.hpp"
#include "compiler/machine_code.hpp"
#include "compiler/registers/held_units.hpp"

namespace warpwright::compiler {

// An instruction can be repeated as long as nothing has written what it reads or writes since it was executed. Where nothing has written
// its results on any path they are undefined, and repeating it does no harm.
class Repeatable {
 public:
  explicit Repeatable(const MachineFunction& function);

  using Set = BitSet;  // of instruction numbers
  Set atEntry() const;
  // Instruction `number` is executed; `held` is the state before it.
  void execute(u32 number, const HeldUnits& held, Set& set) const;

 private:
  bool isUndefined(u32 number, const HeldUnits& held) const;

  const MachineFunction& function_;
  std::vector<std::vector<u32>> touching_;  // per unit: instructions that read or write it and might be repeated
};

}  // namespace warpwright::compiler
