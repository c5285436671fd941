// An instruction as a program recorded it.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "spe/unit.hpp"

namespace warpwright::spe {

enum class Opcode : u8 {
#define WW_SPU(name, unit) name,
#include "spe/opcodes.def"
};

std::string_view nameOf(Opcode opcode);
Unit unitOf(Opcode opcode);
bool isLoad(Opcode opcode);
bool isStore(Opcode opcode);

using ValueId = u32;
inline constexpr ValueId kNoValue = ~ValueId{0};

// Bytes of the local store that an instruction reads or writes.
struct Touched {
  u32 begin = 0, end = 0;  // byte addresses; none where they are equal
  bool overlaps(const Touched& other) const { return begin < other.end && other.begin < end; }
};

struct Instruction {
  Opcode opcode = Opcode::nop;
  ValueId target = kNoValue;
  std::array<ValueId, 3> sources{kNoValue, kNoValue, kNoValue};
  s32 immediate = 0;
  Touched touched{};
  u32 portCycles = 0;     // of the local store that an access takes: more than one where its words conflict
  bool taken = false;     // of a branch
  u32 transferBytes = 0;  // of a DMA command that this channel write gives
  u32 tags = 0;           // a bit for each tag: of the command, or that a channel read waits for
};

// Function: void(ValueId), for each value that the instruction reads or writes.
template <typename Function>
void forEachValue(const Instruction& instruction, Function&& function) {
  for (const ValueId source : instruction.sources)
    if (source != kNoValue) function(source);
  if (instruction.target != kNoValue) function(instruction.target);
}

// Straight code, which a branch may end.
struct Block {
  std::vector<Instruction> instructions;
};

}  // namespace warpwright::spe
