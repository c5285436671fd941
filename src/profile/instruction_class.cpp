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

using isa::Opcode;
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
  switch (instruction.opcode) {
    case Opcode::ld:
      return loadClass(instruction.modifiers.space);
    case Opcode::st:
      return storeClass(instruction.modifiers.space);
    case Opcode::atom:
      return InstructionClass::atomic;
    case Opcode::prefetch:
    case Opcode::fence:
      return InstructionClass::memoryOther;
    case Opcode::cvt:
      return InstructionClass::conversion;
    case Opcode::mov:
    case Opcode::selp:
    case Opcode::slct:
    case Opcode::pack8:
    case Opcode::pack16:
    case Opcode::unpack8:
    case Opcode::unpack16:
    case Opcode::s2r:
      return InstructionClass::move;
    case Opcode::bar_sync:
    case Opcode::bar_arrive:
    case Opcode::bar_red:
    case Opcode::cp_wait:
    case Opcode::mbarrier:
      return InstructionClass::barrier;
    case Opcode::mma:
      return InstructionClass::tensor;

    default:
      break;
  }
  switch (info(instruction.opcode).family) {
    case isa::Family::warp:
      return InstructionClass::warpWide;
    case isa::Family::control:
      return InstructionClass::control;
    case isa::Family::texture:
      return instruction.opcode == Opcode::tex || instruction.opcode == Opcode::txq ? InstructionClass::texture : InstructionClass::surface;
    case isa::Family::memory:
      return InstructionClass::memoryOther;
    case isa::Family::lane:
      break;
  }
  return arithmeticClass(instruction);
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
