// What must stay before what in a basic block.
#pragma once

#include <vector>

#include "compiler/liveness.hpp"

namespace warpwright::compiler {

struct Dependence {
  u32 to = 0;       // index in the block
  u32 latency = 0;  // cycles from the issue of one to the issue of the other
};

// Per instruction of the block, counted from its beginning: those that must follow it.
// Kept in order: writes and reads of the same unit; accesses to memory of which one is a store and that may overlap; instructions in which
// the lanes of a warp meet; copies of arguments and results; all of these around barriers, fences, asynchronous copies and divisions
// that have a branch inside; and everything around calls and reads of the clock.
std::vector<std::vector<Dependence>> findDependences(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness);

// Cycles until the result of an instruction can be read, as a scheduler expects them: those of the V100's and T4's pipelines (Jia et al.,
// "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, and "… Turing T4 …", 2019), rounded.
u32 expectedLatency(const MachineInstruction& instruction);

// Cycles until the scheduler's unit for an instruction takes the next one. Two for accesses to memory: ptxas of CUDA 13 puts eleven loads
// from shared memory into the latency of the first of them.
u32 unitCycles(const MachineInstruction& instruction);

}  // namespace warpwright::compiler
