#include "mechanisms/affine_tags/operands.hpp"

#include <algorithm>

namespace warpwright::mechanisms::affine_tags {
namespace {

using isa::Across;
using isa::DataType;
using isa::Operand;

bool isHalf(DataType type) { return isa::sizeOf(type) == 2; }

// An integer of 16 bits or more, one a register.
bool isPlainInteger(DataType type) { return type >= DataType::u16 && type <= DataType::s64; }

// An odd register cannot begin a pair: the stack pointer is one word with 64-bit addresses too.
u32 wordsOf(const isa::Instruction& instruction, char letter, const Operand& operand, u32 addressBits) {
  const bool isAddress = letter == 'a' || letter == 'A';
  if (isAddress && operand.index % 2 == 1) return 1;
  return std::max(1u, isa::operandWords(instruction, letter, addressBits));
}

OperandLocation locationOf(const isa::Instruction& instruction, char letter, const Operand& operand, u32 addressBits) {
  switch (operand.kind) {
    case Operand::Kind::none:
      return {};
    case Operand::Kind::immediate:
    case Operand::Kind::param:
      return {OperandLocation::Kind::constant};
    case Operand::Kind::predicate:
      if (operand.index == isa::kTruePredicate) return {OperandLocation::Kind::constant};
      return {OperandLocation::Kind::predicate, static_cast<u8>(operand.index)};
    case Operand::Kind::reg:
      break;
  }
  const u32 words = wordsOf(instruction, letter, operand, addressBits);
  const bool half = isHalf(isa::operandType(instruction, letter, addressBits)) && words == 1;
  return {OperandLocation::Kind::registers, static_cast<u8>(operand.index), static_cast<u8>(words), half};
}

// A rule of the table holds for integers of 16 bits and more. Elsewhere, and with saturation, only uniform values remain what they are.
Across acrossOf(const isa::Instruction& instruction) {
  const Across across = isa::info(instruction.opcode).across;
  const isa::Modifiers& modifiers = instruction.modifiers;
  switch (across) {
    case Across::sum:
    case Across::difference:
    case Across::product:
    case Across::product_sum:
    case Across::shift_left: {
      const bool isPlain = !modifiers.saturate && !modifiers.relu && !modifiers.carryIn && !modifiers.carryOut;
      return isPlain && isPlainInteger(instruction.type) ? across : Across::lanewise;
    }
    case Across::convert: {
      const bool isPlain = !modifiers.saturate && isPlainInteger(instruction.type) && isPlainInteger(instruction.sourceType);
      return isPlain ? across : Across::lanewise;
    }
    case Across::copy:
    case Across::select:
      return instruction.type == DataType::pred ? Across::lanewise : across;
    default:
      return across;
  }
}

// Of pairs of words the second, if they make an integer: an address, as a rule.
bool isHighWord(const isa::Instruction& instruction, char letter, u32 addressBits, u32 word) {
  const DataType type = isa::operandType(instruction, letter, addressBits);
  return word % 2 == 1 && (type == DataType::u64 || type == DataType::s64);
}

// A register that several operands name counts once; as a whole, if one of them reads it so.
void addRead(Operation& operation, u32 number, bool half, bool isHigh) {
  const auto begin = operation.reads.begin(), end = begin + operation.readCount;
  const auto found = std::find(begin, end, number);
  const u32 bit = 1u << (found - begin);
  if (found != end) {
    if (!half) operation.readHalves &= ~bit;
    return;
  }
  if (operation.readCount == Operation::kMost) return;
  operation.reads[operation.readCount++] = static_cast<u8>(number);
  if (half) operation.readHalves |= bit;
  if (isHigh) operation.highReads |= bit;
}

void addWrite(Operation& operation, u32 number, bool isHigh) {
  if (operation.writeCount == Operation::kMost) return;
  if (isHigh) operation.highWrites |= 1u << operation.writeCount;
  operation.writes[operation.writeCount++] = static_cast<u8>(number);
}

}  // namespace

Operation describe(const isa::Instruction& instruction, u32 addressBits) {
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  Operation operation;
  operation.instruction = &instruction;
  operation.across = acrossOf(instruction);
  operation.unit = isa::unitOf(instruction);
  operation.computes = row.family == isa::Family::lane;
  operation.bytes = static_cast<u8>(isa::sizeOf(instruction.type));
  for (std::size_t i = 0; i < row.sources.size(); ++i) {
    const OperandLocation location = locationOf(instruction, row.sources[i], instruction.sources[i], addressBits);
    operation.sources[i] = location;
    if (location.kind != OperandLocation::Kind::registers) continue;
    for (u32 word = 0; word < location.words; ++word)
      addRead(operation, location.first + word, location.half, isHighWord(instruction, row.sources[i], addressBits, word));
  }
  for (std::size_t i = 0; i < row.destinations.size(); ++i) {
    const OperandLocation location = locationOf(instruction, row.destinations[i], instruction.destinations[i], addressBits);
    operation.destinations[i] = location;
    if (location.kind != OperandLocation::Kind::registers) continue;
    for (u32 word = 0; word < location.words; ++word)
      addWrite(operation, location.first + word, isHighWord(instruction, row.destinations[i], addressBits, word));
  }
  return operation;
}

}  // namespace warpwright::mechanisms::affine_tags
