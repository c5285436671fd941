// What an instruction makes the pipes do, by the circuits that it uses: what their energy follows from.
#pragma once

#include <string_view>

#include "base/integers.hpp"
#include "isa/instruction.hpp"

namespace warpwright::isa {

enum class PipeOperation : u8 {
  intAdd,       // 32 bits: addition, comparison, logic, shift; also sign, minimum and comparison of floating-point numbers
  intMultiply,  // 32 by 32 bits, also with addition
  intDivide,    // 32 bits
  fp16Fma,      // addition, multiplication or both
  fp32Fma,
  fp32Divide,  // division or square root, correctly rounded
  fp64Fma,
  fp64Divide,
  special,  // of the special function unit
  convert,
  move,  // 32 bits: copy, selection, permutation of bytes
  predicate,
  shuffle,  // 32 bits from another lane
  tensor,   // multiply-add of the matrix unit
  branch,   // of a warp
  address,  // 32 bits of a lane's address: base and offset
  none,     // of a warp: barriers, fences and the like, which use no pipe
};
inline constexpr std::size_t kPipeOperations = 17;
std::string_view name(PipeOperation operation);  // "int_add"

// Operations of 64 bits, and of pairs of 16 bits, are several. A 64-bit product takes three of 32 bits, the division of 64 bits four (as
// long by twice as wide).
struct PipeWork {
  PipeOperation operation = PipeOperation::none;
  u16 perLane = 0;  // operations of each lane that executes
  u8 perWarp = 0;   // operations beside those, whatever lanes execute

  // Operations of warps that issue it, with so many executing lanes in all.
  u64 of(u64 warps, u64 lanes) const { return perLane * lanes + perWarp * warps; }
};
PipeWork pipeWorkOf(const Instruction& instruction, u32 addressBits, u32 warpSize);

}  // namespace warpwright::isa
