// Basic blocks of a machine function.
#pragma once

#include "compiler/graph.hpp"
#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

struct BasicBlock {
  u32 begin = 0, end = 0;  // positions in MachineFunction::code
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;  // in code order; block 0 is the entry
  Graph successors;
  std::vector<bool> leaves;  // control can leave the function here in the regular way (see below)
  std::vector<u32> blockOf;  // per position in code

  u32 blockAt(u32 position) const { return blockOf[position]; }
};

// Per position, that behind the last instruction included: control may come here other than from the instruction before.
std::vector<bool> branchTargets(const MachineFunction& function);

// A block leaves the function when it ends in an unguarded ret or exit, runs off the code's end, or holds a guarded ret of a device
// function. A guarded exit does not, as the lanes that take it are gone and nobody has to wait for them, unless it is the only way out of
// where it stands: a loop that ends in no other way would have no post-dominators.
ControlFlow buildControlFlow(const MachineFunction& function);

// Drops the blocks that no path from the entry reaches.
void removeUnreachableCode(MachineFunction& function);

// Immediate post-dominator of every block. kNoNode: the function's end, or a block from which no regular end is reached (an endless
// loop, a trap). Edges into such blocks count for nothing: what takes them never comes to a common instruction again.
std::vector<u32> immediatePostDominators(const ControlFlow& flow);

// Sets Instruction::reconvergence (still a label) of every guarded bra and of every brx: the immediate post-dominator. Of a kernel's branch
// with barriers behind one side alone, it is the beginning of that side: its threads go on when those of the other have left, since
// barriers await no thread that has exited.
void assignReconvergence(MachineFunction& function);

// Nesting depth of backward branches around every position: an estimate of how often it runs.
std::vector<u32> loopDepths(const MachineFunction& function);

}  // namespace warpwright::compiler
