// Who calls whom in a module.
#pragma once

#include <optional>
#include <vector>

#include "isa/instruction.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {

// The parts of a PTX call: `call (returns), callee, (arguments), prototype or targets`.
struct CallParts {
  const ptx::Operand* returns = nullptr;    // group, null when absent
  const ptx::Operand* callee = nullptr;     // function symbol, or the register of an indirect call
  const ptx::Operand* arguments = nullptr;  // group, null when absent
  const ptx::Operand* signature = nullptr;  // call_prototype or call_targets symbol of an indirect call
};
CallParts callParts(const ptx::Instruction& call);

// The function with a body that the index stands for: a declaration may be defined later in the same module.
u32 definitionOf(const ptx::Module& module, u32 function);

// The system call that an undefined function of this name stands for.
std::optional<isa::SystemCall> systemCallOf(const ptx::Module& module, u32 function);

struct CallGraph {
  std::vector<std::vector<u32>> callees;  // per function: definitions it may call, sorted; system calls left out
  std::vector<bool> callsIndirectly;      // per function
  std::vector<bool> recursive;            // per function: can come to be active twice
  std::vector<std::vector<u32>> reach;    // per function: itself and all it may call, directly or not, sorted
};

CallGraph buildCallGraph(const ptx::Module& module);

}  // namespace warpwright::compiler
