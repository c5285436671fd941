// The vector implementation of Family::lane operations: one call executes an instruction for all lanes of a warp.
#pragma once

#include <array>
#include <string_view>

#include "base/types.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

// Registers are register-major: register r occupies `lanes` consecutive u32 at registers + r * lanes (lanes = 32, or 64 for
// warps of 64; smaller warps leave lanes unused). 64-bit values: low words in register r, high words in r + 1.
// Immediates and kernel parameters are broadcast once per launch into a pool with the same layout, %tid once per launch and %ctaid once per
// block into planes of their own, so every source is a pointer.
struct LaneOperand {
  enum class Bank : u8 { registers, pool, thread, block, predicate };
  Bank bank = Bank::registers;
  bool negated = false;
  bool present = false;
  u32 offset = 0;  // predicate: number; other banks: in u32 words from the bank's base
};

struct DecodedInstruction;
struct LaneState {
  u32* registers = nullptr;
  std::array<const u32*, 4> banks{};  // by LaneOperand::Bank; the first one is that of the registers
  LaneMask* predicates = nullptr;     // kPredicates + 1 masks; the last one is all ones

  LaneState() = default;
  LaneState(u32* registerBank, const u32* pool, LaneMask* predicateBank, const u32* thread = nullptr, const u32* block = nullptr)
      : registers(registerBank), banks{registerBank, pool, thread, block}, predicates(predicateBank) {}

  const u32* words(const LaneOperand& operand) const { return banks[static_cast<u8>(operand.bank)] + operand.offset; }
};

// Planes of special registers: x, y, z of %tid (bank thread, one set a warp) and of %ctaid (bank block).
inline constexpr u32 kIndexPlanes = 3;

// 16 words that begin at a cache line, so that no vector register's worth of a plane straddles two.
struct alignas(64) PlaneLine {
  static constexpr u32 kWords = 16;
  u32 words[kWords];
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
