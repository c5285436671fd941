// Instruction scheduling before register allocation: latency against pressure.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Reorders the instructions of every basic block so that no more than `registers` words are live in it, if that can be. While fewer words
// are live, what the longest chain of latencies waits for comes first, so that loads are issued ahead of their use; from there on, what
// frees most registers. Where that comes too late, loads go ahead of an order with few words as far as the registers allow. A block of
// which every order needs more of them gets the order with the fewest words that the greedy choice can reach, or keeps its own; with 0
// registers, each does. Predicates beyond `predicates` are begun only where nothing else could issue.
void schedule(MachineFunction& function, u32 registers, u32 predicates = isa::kPredicates);

}  // namespace warpwright::compiler
