#include "compiler/constant_folding.hpp"

#include <optional>
#include <utility>

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

bool isPlainInteger(const MachineInstruction& instruction) {
  const DataType type = instruction.type;
  const bool integer = type == DataType::u32 || type == DataType::s32 || type == DataType::u64 || type == DataType::s64;
  const isa::Modifiers& m = instruction.modifiers;
  return integer && !m.saturate && !m.carryIn && !m.carryOut && !instruction.addsFrame;
}

std::optional<u64> evaluate(Opcode opcode, u64 a, u64 b, u32 bits) {
  switch (opcode) {
    case Opcode::add:
      return a + b;
    case Opcode::sub:
      return a - b;
    case Opcode::mul_lo:
      return a * b;
    case Opcode::and_:
      return a & b;
    case Opcode::or_:
      return a | b;
    case Opcode::xor_:
      return a ^ b;
    case Opcode::shl: {
      const u64 amount = static_cast<u32>(b);
      return amount >= bits ? 0 : a << amount;
    }
    default:
      return std::nullopt;
  }
}

void becomeMove(MachineInstruction& instruction, const Operand& source) {
  instruction.opcode = Opcode::mov;
  instruction.type = isa::registerWords(instruction.type) == 2 ? DataType::u64 : DataType::u32;
  instruction.modifiers = {};
  instruction.sources = {source, Operand{}, Operand{}, Operand{}};
}

bool foldKnown(MachineInstruction& instruction) {
  const Operand &a = instruction.sources[0], &b = instruction.sources[1];
  if (a.kind != Operand::Kind::immediate || b.kind != Operand::Kind::immediate || instruction.symbol) return false;
  const u32 bits = isa::sizeOf(instruction.type) * 8;
  const std::optional<u64> value = evaluate(instruction.opcode, a.value, b.value, bits);
  if (!value) return false;
  becomeMove(instruction, Operand::makeImmediate(bits == 32 ? static_cast<u32>(*value) : *value));
  return true;
}

// x + 0
bool foldNeutral(MachineInstruction& instruction) {
  if (instruction.opcode != Opcode::add || instruction.symbol) return false;
  if (instruction.sources[0].kind == Operand::Kind::immediate) std::swap(instruction.sources[0], instruction.sources[1]);
  if (instruction.sources[1] != Operand::makeImmediate(0)) return false;
  becomeMove(instruction, Operand(instruction.sources[0]));
  return true;
}

// address of a variable + constant
bool foldSymbol(MachineInstruction& instruction, u32 addressBits) {
  if (instruction.opcode != Opcode::add || !instruction.symbol || isa::sizeOf(instruction.type) * 8 != addressBits) return false;
  const Operand& other = instruction.sources[1 - instruction.symbol->operand];
  if (other.kind != Operand::Kind::immediate) return false;
  instruction.symbol->address.addend += addressBits == 32 ? static_cast<s32>(other.value) : static_cast<s64>(other.value);
  instruction.symbol->operand = 0;
  becomeMove(instruction, Operand::makeImmediate(0));
  return true;
}

}  // namespace

bool isFoldable(const MachineInstruction& instruction) {
  return isPlainInteger(instruction) && evaluate(instruction.opcode, 0, 0, 32).has_value();
}

bool foldConstants(MachineFunction& function) {
  bool changed = false;
  for (MachineInstruction& instruction : function.code) {
    if (isa::info(instruction.opcode).family != isa::Family::lane || instruction.opcode == Opcode::mov) continue;
    if (!isPlainInteger(instruction)) continue;
    changed |= foldKnown(instruction) || foldNeutral(instruction) || foldSymbol(instruction, function.addressBits);
  }
  return changed;
}

}  // namespace warpwright::compiler
