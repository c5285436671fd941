// Between which kinds of pipes results of fixed latency take longer than within one, as NVIDIA's assembler has it (docs/hardware.md).
#pragma once

#include "isa/instruction.hpp"

namespace warpwright::isa {

enum class ResultPipe : u8 {
  multiplying,  // products and sums of floating-point numbers, products of integers
  integer,      // sums, logic, shifts, comparisons, selections, moves
  memory,       // has addresses and stored values from the two
  other,        // none of this matters
};
inline constexpr std::size_t kResultPipes = 4;

ResultPipe resultPipeOf(const Instruction& instruction);

// Whether a result of the first comes later to the second than to another instruction of the first.
constexpr bool comesLater(ResultPipe from, ResultPipe to) {
  const bool isFixed = from == ResultPipe::multiplying || from == ResultPipe::integer;
  return isFixed && to != ResultPipe::other && from != to;
}

}  // namespace warpwright::isa
