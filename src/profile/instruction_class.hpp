// What an instruction is counted as, and how many registers it reads and writes.
#pragma once

#include <string_view>

#include "isa/instruction.hpp"

namespace warpwright::profile {

enum class InstructionClass : u8 {
  integer,
  fp32,
  fp64,
  special,
  conversion,
  move,
  loadGlobal,
  storeGlobal,
  loadShared,
  storeShared,
  loadLocal,
  storeLocal,
  loadConstant,
  loadParam,
  storeParam,
  loadGeneric,
  storeGeneric,
  atomic,
  memoryOther,
  warpWide,
  barrier,
  control,
  tensor,
  texture,
  surface,
};
inline constexpr std::size_t kInstructionClasses = 25;

std::string_view name(InstructionClass instructionClass);         // "load_global": JSON
std::string_view description(InstructionClass instructionClass);  // "load global": tables
InstructionClass classOf(const isa::Instruction& instruction);

// 32-bit registers of one thread; 64-bit values count two, vectors one an element (two when it has 64 bits).
struct RegisterUse {
  u32 reads = 0, writes = 0;
  u32 predicateReads = 0, predicateWrites = 0;  // the guard included, unless it is always true
};
RegisterUse registerUse(const isa::Instruction& instruction, u32 addressBits);

}  // namespace warpwright::profile
