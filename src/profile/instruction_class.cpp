#include "profile/instruction_class.hpp"

#include <array>

namespace warpwright::profile {
namespace {

struct ClassRow {
  std::string_view name, description;
};

// In the order of InstructionClass.
constexpr std::array<ClassRow, kInstructionClasses> kClasses{{
    {"integer", "integer and logic"},
    {"fp32", "fp32"},
    {"fp64", "fp64"},
    {"special", "special function"},
    {"conversion", "conversion"},
    {"move", "move and select"},
    {"load_global", "load global"},
    {"store_global", "store global"},
    {"load_shared", "load shared"},
    {"store_shared", "store shared"},
    {"load_local", "load local"},
    {"store_local", "store local"},
    {"load_constant", "load constant"},
    {"load_param", "load parameter"},
    {"store_param", "store parameter"},
    {"load_generic", "load generic"},
    {"store_generic", "store generic"},
    {"atomic", "atomic"},
    {"memory_other", "fence and prefetch"},
    {"warp_wide", "warp-wide"},
    {"barrier", "barrier"},
    {"control", "control"},
    {"tensor", "matrix multiply"},
    {"texture", "texture"},
    {"surface", "surface"},
}};

using isa::Space;

InstructionClass loadClass(Space space) {
  switch (space) {
    case Space::global:
      return InstructionClass::loadGlobal;
    case Space::shared:
      return InstructionClass::loadShared;
    case Space::local:
      return InstructionClass::loadLocal;
    case Space::constant:
      return InstructionClass::loadConstant;
    case Space::param:
      return InstructionClass::loadParam;
    case Space::generic:
      break;
  }
  return InstructionClass::loadGeneric;
}

InstructionClass storeClass(Space space) {
  switch (space) {
    case Space::global:
      return InstructionClass::storeGlobal;
    case Space::shared:
      return InstructionClass::storeShared;
    case Space::local:
      return InstructionClass::storeLocal;
    case Space::param:
      return InstructionClass::storeParam;
    default:
      return InstructionClass::storeGeneric;
  }
}

InstructionClass arithmeticClass(const isa::Instruction& instruction) {
  switch (unitOf(instruction)) {
    case isa::Unit::fp32:
      return InstructionClass::fp32;
    case isa::Unit::fp64:
      return InstructionClass::fp64;
    case isa::Unit::sfu:
      return InstructionClass::special;
    default:
      return InstructionClass::integer;
  }
}

u32 wordsOf(const isa::Instruction& instruction, const std::array<isa::Operand, 4>& operands, std::string_view letters, u32 addressBits) {
  u32 words = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (operands[i].kind == isa::Operand::Kind::reg) words += operandWords(instruction, letters[i], addressBits);
  }
  return words;
}

u32 predicatesOf(const std::array<isa::Operand, 4>& operands) {
  u32 count = 0;
  for (const isa::Operand& operand : operands) {
    count += operand.kind == isa::Operand::Kind::predicate && operand.index != isa::kTruePredicate;
  }
  return count;
}

}  // namespace

std::string_view name(InstructionClass instructionClass) { return kClasses[static_cast<std::size_t>(instructionClass)].name; }

std::string_view description(InstructionClass instructionClass) { return kClasses[static_cast<std::size_t>(instructionClass)].description; }

InstructionClass classOf(const isa::Instruction& instruction) {
  switch (info(instruction.opcode).kind) {
    case isa::Kind::move:
      return InstructionClass::move;
    case isa::Kind::conversion:
      return InstructionClass::conversion;
    case isa::Kind::computation:
      return arithmeticClass(instruction);
    case isa::Kind::load:
      return loadClass(instruction.modifiers.space);
    case isa::Kind::store:
      return storeClass(instruction.modifiers.space);
    case isa::Kind::atomic:
      return InstructionClass::atomic;
    case isa::Kind::memory:
      return InstructionClass::memoryOther;
    case isa::Kind::texture:
      return InstructionClass::texture;
    case isa::Kind::surface:
      return InstructionClass::surface;
    case isa::Kind::exchange:
      return InstructionClass::warpWide;
    case isa::Kind::barrier:
      return InstructionClass::barrier;
    case isa::Kind::tensor:
      return InstructionClass::tensor;
    case isa::Kind::control:
      return InstructionClass::control;
  }
  return InstructionClass::control;
}

RegisterUse registerUse(const isa::Instruction& instruction, u32 addressBits) {
  const isa::OpcodeInfo& row = info(instruction.opcode);
  RegisterUse use;
  use.reads = wordsOf(instruction, instruction.sources, row.sources, addressBits);
  use.writes = wordsOf(instruction, instruction.destinations, row.destinations, addressBits);
  use.predicateReads = predicatesOf(instruction.sources) + (instruction.guard.index != isa::kTruePredicate ? 1 : 0);
  use.predicateWrites = predicatesOf(instruction.destinations);
  return use;
}

}  // namespace warpwright::profile
