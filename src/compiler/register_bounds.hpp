// What a module says about the registers of its functions.
#pragma once

#include "compiler/call_graph.hpp"
#include "compiler/compiler.hpp"

namespace warpwright::compiler {

// Per function: the least of Options::maxRegisters, .maxnreg and the launch bounds of the kernels that may come to execute it. Launch
// bounds ask for .minnctapersm blocks of .maxntid threads on an SM at a time (PTX ISA, "Performance-Tuning Directives").
std::vector<u32> registerBounds(const ptx::Module& module, const CallGraph& calls, const Options& options);

// Kernels that ask for more registers while they run (setmaxnreg) begin with those that their bounds give them.
void boundLaunches(const ptx::Module& module, const Options& options, isa::Program& program);
// What the code may use where a thread has so many registers.
RegisterBudget budgetWithin(u32 registersPerThread, const Options& options);

}  // namespace warpwright::compiler
