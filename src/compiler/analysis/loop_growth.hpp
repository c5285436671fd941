// Variables of loops that grow or shrink by a power of two with every iteration, as the strides of reductions and transforms do.
#pragma once

#include <map>

#include "compiler/analysis/loops.hpp"
#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

struct Growth {
  u32 loop = 0;    // of Loops::loops
  s32 bits = 0;    // that the loop shifts it by, to the left
  u32 update = 0;  // the instruction that gives it its next value
};

// By the lowest unit of the variable: those that one instruction sets before the loop and one shifts in it.
std::map<u32, Growth> findGrowth(const MachineFunction& function, const ControlFlow& flow, const Loops& loops);

}  // namespace warpwright::compiler
