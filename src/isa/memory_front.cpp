#include "isa/memory_front.hpp"

#include <algorithm>

namespace warpwright::isa {
namespace {

// The address of shared memory is computed in the shared part, that of others before; a uniform one is there two cycles earlier.
constexpr u32 kShared = 9, kUniform = 9, kByRegister = 11;

u32 dataWords(const Instruction& instruction) { return std::max(1u, sizeOf(instruction.type) * instruction.vector / 4); }

MemoryFront ofLoad(Space space, bool byRegister) {
  switch (space) {
    case Space::shared:
      return {kShared, kShared};
    case Space::constant:
    case Space::param:
      return byRegister ? MemoryFront{kByRegister, 29} : MemoryFront{10, 10};
    default:
      return byRegister ? MemoryFront{kByRegister, kByRegister} : MemoryFront{kUniform, kUniform};
  }
}

// A store reads its data in turns, two cycles a word.
MemoryFront ofStore(Space space, bool byRegister, u32 words) {
  if (!byRegister) return {kUniform, 8 + 2 * words, true};
  return space == Space::shared ? MemoryFront{kShared, 10 + 2 * words, true} : MemoryFront{kByRegister, 12 + 2 * words, true};
}

}  // namespace

MemoryFront memoryFront(const Instruction& instruction, bool byRegister) {
  const Space space = instruction.modifiers.space;
  if (info(instruction.opcode).family == Family::texture) return ofLoad(Space::shared, true);
  if (instruction.opcode == Opcode::cp_async) return {kByRegister, 13};
  if (instruction.opcode == Opcode::ld) return ofLoad(space, byRegister);
  return ofStore(space, byRegister, dataWords(instruction));
}

}  // namespace warpwright::isa
