// Instruction scheduling before register allocation: latency against pressure.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Reorders the instructions of every basic block. While fewer than `registers` words are live, what the longest chain of latencies waits
// for comes first, so that loads are issued ahead of their use; from there on, what frees most registers. A block whose new order needs
// both more registers than that and more than its old one keeps the old one. 0: as few live words as the greedy choice can reach.
void schedule(MachineFunction& function, u32 registers);

}  // namespace warpwright::compiler
