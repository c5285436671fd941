// Which lines of code a launch fetched: those of the instructions that it executed.
#pragma once

#include <span>
#include <vector>

#include "base/touched_line.hpp"
#include "sampling/signature.hpp"

namespace warpwright::sampling {

// executed: by pc. code: of the program's first instruction. lineBytes: of the cache that is told. Instruction caches fetch whole lines.
std::vector<TouchedLine> codeLines(std::span<const Signature::Executed> executed, GlobalAddress code, u32 instructionBytes, u32 lineBytes);

}  // namespace warpwright::sampling
