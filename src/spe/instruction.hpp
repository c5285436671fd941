// An instruction as a program recorded it.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "spe/port.hpp"
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
// Of names of branches and labels, given by Spu.
using NameId = u32;
inline constexpr NameId kNoName = 0;

inline constexpr ValueId kNoValue = ~ValueId{0};

// Bytes of the local store that an instruction reads or writes.
struct Touched {
  u32 begin = 0, end = 0;  // byte addresses; none where they are equal
  bool overlaps(const Touched& other) const { return begin < other.end && other.begin < end; }
};

// Of a list of transfers: how many bytes, and from or to where in main memory (Cell Broadband Engine Architecture).
inline constexpr u32 kListElementBytes = 8;

struct Instruction {
  Opcode opcode = Opcode::nop;
  ValueId target = kNoValue;
  std::array<ValueId, 3> sources{kNoValue, kNoValue, kNoValue};
  s32 immediate = 0;
  Touched touched{};
  u32 portCycles = 0;            // of the local store that an access takes: more than one where its words conflict
  Port port = Port::normal;      // of an access
  bool taken = false;            // of a branch
  NameId name = kNoName;         // of a branch, or of the one that a hint is for
  NameId hintedTo = kNoName;     // the label that a hint says its branch goes to
  u32 firstPart = 0, parts = 0;  // of a DMA command that this channel write gives: its transfers, among the sizes of the block
  u32 listBytes = 0;             // of the list that the command names
  u32 tags = 0;                  // a bit for each tag: of the command, or that a channel read waits for
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
  std::vector<u32> parts;  // bytes of the transfers that its commands ask for

  std::span<const u32> partsOf(const Instruction& instruction) const {
    return std::span(parts).subspan(instruction.firstPart, instruction.parts);
  }
};

}  // namespace warpwright::spe
