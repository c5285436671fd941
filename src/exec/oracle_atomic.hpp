// What an atomic operation leaves in memory, for the one-lane interpreter.
#pragma once

#include "isa/instruction.hpp"

namespace warpwright::exec {

// `old` is the value in memory, `b` and `c` the operands (cas: b is compared, c stored). All as registers hold the type.
u64 atomicResult(const isa::Instruction& instruction, u64 old, u64 b, u64 c);

}  // namespace warpwright::exec
