// When a memory instruction has left the part of an SM that is a sub-core's own, and when it has read its operands: Huerta, Shoushtary,
// Cruz, González, "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025, table 2, measured on an Ampere GPU.
#pragma once

#include "isa/instruction.hpp"

namespace warpwright::isa {

// Cycles of an instruction that meets no other.
struct MemoryFront {
  u32 leaves = 0;            // from its issue until the shared part has it
  u32 reads = 0;             // from its issue until its operands are read, and one that overwrites them may issue
  bool carriesData = false;  // what it writes: the shared part cannot begin before it is read
};
// byRegister: the address is in a register of each lane; otherwise the warp has one address. What the paper did not measure is taken for
// its like: atomics and what else hands over data for stores, textures for loads that only hand over their operands, those from shared
// memory.
MemoryFront memoryFront(const Instruction& instruction, bool byRegister);

}  // namespace warpwright::isa
