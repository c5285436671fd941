// Which of a warp's six counters each instruction of a variable latency counts.
#pragma once

#include <span>

#include "compiler/control_bits/issue_effects.hpp"

namespace warpwright::compiler {

// Sets the read and write counters. `from` [i]: the first instruction that control can reach from instruction i, in code order.
//
// A result shares the counter of one that is needed by the same instruction, which loses nothing (Huerta and others, section 4); else it
// takes one that nobody waits for any more, else the one that is waited for last. An instruction's registers need a counter only where
// something overwrites them before its result is waited for. They share one, which no result counts: they have been read after a few
// cycles, and who waits for them must not wait for what comes from memory (chosen).
void chooseCounters(std::span<const IssueEffects> effects, std::span<const u32> from, std::span<isa::ControlBits> control);

}  // namespace warpwright::compiler
