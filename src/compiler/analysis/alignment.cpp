#include "compiler/analysis/alignment.hpp"

#include <algorithm>
#include <bit>

#include "compiler/layout.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

constexpr u32 kFrameZeroBits = std::countr_zero(kFrameAlignment);

bool isInteger(DataType type) {
  switch (type) {
    case DataType::u16:
    case DataType::s16:
    case DataType::u32:
    case DataType::s32:
    case DataType::u64:
    case DataType::s64:
      return true;
    default:
      return false;
  }
}

// Everything begins as divisible by anything; definitions lower it until nothing changes.
class ZeroBits {
 public:
  explicit ZeroBits(const MachineFunction& function) : function_(function), zeros_(function.units(), 0) {}

  std::vector<u8> run() {
    for (const MachineInstruction& instruction : function_.code)
      forEachDestinationUnit(function_, instruction, [&](u32 unit) { zeros_[unit] = kMostZeroBits; });
    zeros_[kStackWord] = kFrameZeroBits;
    for (bool changed = true; changed;) {
      changed = false;
      for (const MachineInstruction& instruction : function_.code) changed |= lower(instruction);
    }
    return std::move(zeros_);
  }

 private:
  bool lower(const MachineInstruction& instruction) {
    bool changed = false;
    const u32 known = resultOf(instruction);
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      if (unit == kStackWord) return;
      const bool isLowWord = isRegister(instruction.destinations[0]) && unit == instruction.destinations[0].index;
      const u8 zeros = static_cast<u8>(std::min<u32>(zeros_[unit], isLowWord ? known : 0));
      changed |= zeros != zeros_[unit];
      zeros_[unit] = zeros;
    });
    return changed;
  }

  u32 of(const MachineInstruction& instruction, u32 source) const {
    const Operand& operand = instruction.sources[source];
    if (operand.kind == Operand::Kind::reg) return zeros_[operand.index];
    if (operand.kind != Operand::Kind::immediate) return 0;
    if (instruction.symbol && instruction.symbol->operand == source) return zeroBitsOf(function_, instruction.symbol->address);
    const u32 zeros = zeroBitsOf(operand.value);
    return instruction.addsFrame ? std::min(zeros, kFrameZeroBits) : zeros;
  }

  // Of the low word of the first destination.
  u32 resultOf(const MachineInstruction& instruction) const {
    const bool isPlain = isInteger(instruction.type) && !instruction.modifiers.saturate && !instruction.modifiers.carryIn;
    if (!isPlain) return 0;
    const auto least = [&](u32 a, u32 b) { return std::min(of(instruction, a), of(instruction, b)); };
    const auto product = [&] { return std::min(of(instruction, 0) + of(instruction, 1), kMostZeroBits); };
    switch (instruction.opcode) {
      case Opcode::mov:
      case Opcode::neg:
        return of(instruction, 0);
      case Opcode::cvt:
        return isInteger(instruction.sourceType) ? of(instruction, 0) : 0;
      case Opcode::add:
      case Opcode::sub:
      case Opcode::or_:
      case Opcode::xor_:
      case Opcode::selp:
      case Opcode::min:
      case Opcode::max:
        return least(0, 1);
      case Opcode::and_:
        return std::max(of(instruction, 0), of(instruction, 1));
      case Opcode::mul_lo:
      case Opcode::mul_wide:
        return product();
      case Opcode::mad_lo:
      case Opcode::mad_wide:
        return std::min(product(), of(instruction, 2));
      case Opcode::shl:
        return shifted(instruction);
      default:
        return 0;
    }
  }

  u32 shifted(const MachineInstruction& instruction) const {
    const Operand& amount = instruction.sources[1];
    const u64 bits = amount.kind == Operand::Kind::immediate ? std::min<u64>(amount.value, kMostZeroBits) : 0;
    return std::min(of(instruction, 0) + static_cast<u32>(bits), kMostZeroBits);
  }

  const MachineFunction& function_;
  std::vector<u8> zeros_;
};

}  // namespace

std::vector<u8> findZeroBits(const MachineFunction& function) { return ZeroBits(function).run(); }

u32 zeroBitsOf(u64 value) { return std::min(static_cast<u32>(std::countr_zero(value)), kMostZeroBits); }

u32 zeroBitsOf(const MachineFunction& function, const isa::SymbolAddress& symbol) {
  if (symbol.kind != isa::SymbolAddress::Kind::variable) return 0;
  return std::min(zeroBitsOf(programVariableAlignment(*function.module, symbol.index)), zeroBitsOf(static_cast<u64>(symbol.addend)));
}

}  // namespace warpwright::compiler
