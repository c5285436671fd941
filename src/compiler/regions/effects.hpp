// What instructions of PTX read and write, as far as it concerns who moves, skips or repeats them.
#pragma once

#include <functional>

#include "ptx/module.hpp"

namespace warpwright::compiler {

// It does nothing but give its destination a value that follows from its sources, from the kernel's parameters, and from memory that the
// launch leaves as it is. A special register that is the same for a block as long as it lives is as good as a constant.
bool isPure(const ptx::Instruction& instruction);
// A load, without an order that others must keep to, of memory that may change.
bool isPlainLoad(const ptx::Instruction& instruction);
// A store that others may overtake unless they access memory, too.
bool isPlainStore(const ptx::Instruction& instruction);
// It reads a special register that is each thread's own, as long as it lives.
bool isOfThread(const ptx::Instruction& instruction);
// It ends, or may end, the straight line that it stands in.
bool isJump(const ptx::Instruction& instruction);
// It takes many cycles where others take few: a division, a root, a transcendental function, and what is of 64 bits and floating.
bool isLong(const ptx::Instruction& instruction);

using VisitRegister = std::function<void(u32 reg)>;
// Of instructions that are not known to leave a register alone it is both read and written. A guarded one reads what it writes.
void forEachRead(const ptx::Instruction& instruction, const VisitRegister& visit);
void forEachWritten(const ptx::Instruction& instruction, const VisitRegister& visit);

}  // namespace warpwright::compiler
