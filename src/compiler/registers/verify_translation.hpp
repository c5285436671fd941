// An independent check of everything between a function with virtual registers and its final code.
#pragma once

#include <string>
#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

struct RegisterLimits {
  u32 registers = isa::kMaxRegisters, predicates = isa::kPredicates;
};

struct Problem {
  const MachineInstruction* instruction = nullptr;  // of `after`, or one of `before` that is missing there
  std::string text;                                 // what it does wrong: "reads …"
};

// What is wrong; empty when `after` computes what `before` does. `before` has virtual registers and numbered instructions
// (see numberInstructions); `after` has machine registers, spill code, and the same instructions in the same order.
// Follows the final code forward and keeps, for every register, predicate and spill slot, the set of virtual units whose current value it
// holds; each operand must then lie in a location that holds its unit. Also checked: limits, alignment of groups, the stack pointer, branch
// targets. Uses neither liveness, live ranges nor anything else of the allocator.
std::vector<Problem> verifyTranslation(const MachineFunction& before, const MachineFunction& after, const RegisterLimits& limits);

// MachineInstruction::number becomes the position.
void numberInstructions(MachineFunction& function);

}  // namespace warpwright::compiler
