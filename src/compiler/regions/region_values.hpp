// Registers that a part of a kernel's body depends on, and that it gives.
#pragma once

#include <optional>
#include <vector>

#include "ptx/module.hpp"

namespace warpwright::compiler {

// Positions in ptx::Function::body, from `begin` to the one before `end`.
struct Stretch {
  u32 begin = 0, end = 0;
  bool contains(u32 position) const { return begin <= position && position < end; }
};

// By position, one behind the last included: a jump leads there. Compilers set labels for debuggers, too.
std::vector<bool> jumpTargets(const ptx::Function& kernel);

// By register: its value is the same for all threads of a block, whenever it has one: it is computed once, from what is.
std::vector<bool> uniformRegisters(const ptx::Function& kernel);

// By register: how many instructions name it, once for each operand.
std::vector<u32> mentionsOf(const ptx::Function& kernel);

// What the stretch may read before it has written it; of it, what is not the same for a whole block anyway.
std::vector<u32> inputsOf(const ptx::Function& kernel, const Stretch& stretch, const std::vector<bool>& uniform);
// What it writes, if anybody else, or it itself at another time, may read it.
std::vector<u32> outputsOf(const ptx::Function& kernel, const Stretch& stretch);

// Nothing: a predicate, or something that is no whole word, which cannot be handed on.
std::optional<u32> wordsOf(const ptx::Function& kernel, const std::vector<u32>& registers);

}  // namespace warpwright::compiler
