// Which source operands are worth keeping beside the register banks (isa::ControlBits::reuse).
#pragma once

#include <span>

#include "compiler/control_bits/code_blocks.hpp"
#include "compiler/control_bits/issue_effects.hpp"

namespace warpwright::compiler {

// An operand is marked when the next instruction of its block that reads the same bank in the same place reads the same register, and
// nothing writes it in between: only that instruction can find it there (Huerta and others, section 5.3.1, listing 4). Instructions of a
// variable latency read by themselves, later, and neither keep nor find anything. banks: of a sub-core; register r lies in bank r modulo
// their number.
void markReuse(const isa::Program& program, const isa::Function& function, const CodeBlocks& code, std::span<const IssueEffects> effects,
               u32 banks, std::span<isa::ControlBits> control);

}  // namespace warpwright::compiler
