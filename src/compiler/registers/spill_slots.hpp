// The memory side of spilling: stores, and the slots in a function's frame.
#pragma once

#include "compiler/registers/spill.hpp"

namespace warpwright::compiler {

// A word and its successor are the halves of an aligned pair of their group, and share 64-bit accesses.
bool formsPair(const MachineFunction& function, u32 unit);

// What spill slots are relative to: the stack pointer, or nothing in kernels, whose frame begins at 0.
isa::Operand spillBase(const MachineFunction& function);

// Puts a store behind every definition of a word that a reload may read, or a hold behind every definition of a predicate that a restore
// may read. A value is stored when it is computed: once in most code, and never in a loop for what is computed outside.
void placeStores(MachineFunction& function, UnitClass unitClass);

// Gives reloads and stores their offsets behind the function's frame, and extends the frame. Units that are never in memory at the
// same time share a slot. Returns the number of slots (32-bit words).
u32 assignSlots(MachineFunction& function);

}  // namespace warpwright::compiler
