// Compiled functions → one program with absolute targets.
#pragma once

#include <vector>

#include "compiler/call_graph.hpp"
#include "compiler/layout.hpp"
#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// A function after register allocation.
struct CompiledFunction {
  MachineFunction code;
  u32 registers = 0, predicates = 0, spillSlots = 0;
  std::vector<isa::SharedAccess> sharedAccesses;
  std::vector<std::vector<u32>> marks;  // by analysis, then instruction
};

// Local memory that every recursive chain of calls is granted, in bytes. How deep recursion goes is not known when compiling; the chain
// without repetition counts in full, and this is added (CUDA's default stack limit is 1 KiB a thread for the same purpose).
inline constexpr u64 kRecursionBytes = 64 * 1024;

// `compiled` holds one entry per function of the module, empty code for declarations.
void link(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, const std::vector<CompiledFunction>& compiled,
          isa::Program& program);

}  // namespace warpwright::compiler
