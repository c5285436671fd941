// The vector implementation of Family::lane operations: one call executes an instruction for all lanes of a warp.
#pragma once

#include <string_view>

#include "base/types.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

// Registers are register-major: register r occupies `lanes` consecutive u32 at registers + r * lanes (lanes = 32, or 64 for
// warps of 64; smaller warps leave lanes unused). 64-bit values: low words in register r, high words in r + 1.
// Immediates and kernel parameters are broadcast once per launch into a pool with the same layout, so every source is a pointer.
struct LaneOperand {
  enum class Bank : u8 { registers, pool, predicate };
  Bank bank = Bank::registers;
  bool negated = false;
  bool present = false;
  u32 offset = 0;  // registers, pool: in u32 words from the bank's base; predicate: number
};

struct DecodedInstruction;
struct LaneState {
  u32* registers = nullptr;
  const u32* pool = nullptr;
  LaneMask* predicates = nullptr;  // kPredicates + 1 masks; the last one is all ones
};

using LaneFunction = void (*)(const DecodedInstruction&, const LaneState&, LaneMask executing);

struct DecodedInstruction {
  LaneFunction function = nullptr;  // null: not a lane operation
  const isa::Instruction* instruction = nullptr;
  LaneOperand destinations[4];
  LaneOperand sources[4];
  LaneOperand guard;
};

// Instruction-set levels of the host; the same bits come from each.
enum class HostLevel : u8 { portable, avx2, avx512 };
HostLevel bestHostLevel();
std::string_view name(HostLevel level);

// The implementation of a lane operation; null when the operation is not of Family::lane.
// lanes is 32 or 64. Throws Error for a combination of operation and type that the table does not allow.
LaneFunction findLaneFunction(const isa::Instruction& instruction, u32 lanes, HostLevel level);

}  // namespace warpwright::exec
