#include "sass/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "sass/modifiers.hpp"

namespace warpwright::sass {
namespace {

using isa::DataType;
using isa::Instruction;
using isa::Operand;
using isa::Space;

// Addresses of SASS have 64 bits where they say .E, and in these spaces always 32.
bool hasWordAddress(const OpcodeRow& row, std::string_view opcode) {
  if (row.space == Space::shared || row.space == Space::local || row.space == Space::constant) return true;
  return row.form != Form::copy && !hasModifier(opcode, "E");
}

void setCaching(Instruction& instruction, std::string_view opcode) {
  isa::Modifiers& modifiers = instruction.modifiers;
  if (hasModifier(opcode, "CONSTANT")) modifiers.cache = isa::CacheOp::nc;
  if (hasModifier(opcode, "EF")) modifiers.cache = isa::CacheOp::cs;
  // What only the block must see may stay in its SM.
  const bool isWide = hasModifier(opcode, "GPU") || hasModifier(opcode, "SYS") || hasModifier(opcode, "VC");
  if (hasModifier(opcode, "STRONG") && isWide) modifiers.ordering = isa::Ordering::relaxed;
}

void setWidth(Instruction& instruction, const ElementWidth& width) {
  instruction.type = width.type;
  instruction.vector = width.vector;
}

void asAccess(CodeEntry& entry, const OpcodeRow& row, std::string_view opcode) {
  Instruction& instruction = entry.instruction;
  instruction.modifiers.space = row.space;
  instruction.modifiers.wordAddress = hasWordAddress(row, opcode);
  setCaching(instruction, opcode);
  entry.space = row.space;
  entry.bytes = isa::sizeOf(instruction.type) * instruction.vector;
}

// Each of the first lanes has the address of a row.
void asRows(CodeEntry& entry, std::string_view opcode) {
  constexpr u32 kRows = 8, kRowBytes = 16;
  const u32 matrices = matricesMoved(opcode);
  entry.instruction.vector = static_cast<u8>(matrices);
  entry.bytes = kRowBytes;
  entry.lanes = LaneMask::first(kRows * matrices);
}

void asMatrix(CodeEntry& entry, const InstructionLine& line, const SourcePosition& where) {
  const std::optional<isa::Matrix> matrix = matrixOf(line.opcode, line.sources.count);
  if (!matrix)
    throw Error(fmt::format("{} has no shape that is known", line.opcode), where,
                "if the GPU has it, src/sass/modifiers.cpp needs it (docs/sass-traces.md)");
  entry.instruction.modifiers.matrix = *matrix;
}

void setForm(CodeEntry& entry, const OpcodeRow& row, const InstructionLine& line, const SourcePosition& where) {
  Instruction& instruction = entry.instruction;
  switch (row.form) {
    case Form::plain:
    case Form::behindPredicate:
    case Form::unlisted:
    case Form::meeting:
    case Form::barrier:
    case Form::arrival:
      return;
    case Form::sourceTyped:
      instruction.sourceType = row.type;
      if (isa::isFloat(row.type)) instruction.type = DataType::u32;
      return;
    case Form::betweenFloats:
      instruction.type = floatType(line.opcode, 0).value_or(DataType::f32);
      instruction.sourceType = floatType(line.opcode, 1).value_or(instruction.type);
      return;
    case Form::toInteger:
      instruction.type = integerType(line.opcode).value_or(DataType::s32);
      instruction.sourceType = floatType(line.opcode, 0).value_or(DataType::f32);
      return;
    case Form::toFloat:
      instruction.type = floatType(line.opcode, 0).value_or(DataType::f32);
      instruction.sourceType = integerType(line.opcode).value_or(DataType::s32);
      return;
    case Form::matrix:
      return asMatrix(entry, line, where);
    case Form::transposition:
      instruction.modifiers.matrix.words = {1, 1, 0, 0};
      return;
    case Form::load:
    case Form::store:
      setWidth(instruction, widthOf(line.opcode));
      return asAccess(entry, row, line.opcode);
    case Form::rowLoad:
    case Form::rowStore:
      asAccess(entry, row, line.opcode);
      return asRows(entry, line.opcode);
    case Form::atomic:
    case Form::reduction:
      instruction.type = atomicType(line.opcode);
      return asAccess(entry, row, line.opcode);
    case Form::copy:
      setWidth(instruction, widthOf(line.opcode));
      asAccess(entry, row, line.opcode);
      instruction.type = DataType::u32;
  }
}

void setAccess(CodeEntry& entry) {
  const Form form = entry.form;
  entry.isAtomic = form == Form::atomic || form == Form::reduction;
  entry.isLoad = form == Form::load || form == Form::rowLoad || form == Form::copy || form == Form::atomic;
  entry.isStore = form == Form::store || form == Form::rowStore || entry.isAtomic;
}

// Gives registers to the operands that may have one, in order. What is left over finds no place, and nothing waits for it.
void assign(std::span<const u8> numbers, std::string_view letters, std::array<Operand, 4>& operands) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < letters.size() && next < numbers.size(); ++i) {
    const bool isNone = letters[i] == 'P' || letters[i] == 'p' || letters[i] == 'b';
    if (isNone) continue;
    const u8 number = numbers[next++];
    if (number != kZeroRegister) operands[i] = Operand::makeRegister(number);
  }
}

void requireRegisters(const CodeEntry& entry, std::string_view letters, const std::array<Operand, 4>& operands, std::string_view opcode,
                      const SourcePosition& where) {
  constexpr u32 kAddressBits = 64;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (operands[i].kind != Operand::Kind::reg) continue;
    const u32 words = std::max(1u, isa::operandWords(entry.instruction, letters[i], kAddressBits));
    if (operands[i].index + words <= kZeroRegister) continue;
    throw Error(fmt::format("{} with {} registers from R{} on: there are R0 to R254", opcode, words, operands[i].index), where,
                "the line is damaged, or the header's '-binary version' is that of another GPU");
  }
}

void setRegisters(CodeEntry& entry, const InstructionLine& line, const SourcePosition& where) {
  Instruction& instruction = entry.instruction;
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  std::span<const u8> written = line.destinations.all(), read = line.sources.all();
  const bool isHidden = entry.form == Form::behindPredicate || entry.form == Form::atomic;
  if (isHidden && written.empty() && !read.empty()) {
    written = read.first(1);
    read = read.subspan(1);
  }
  // Of a vector, some tracers name each register.
  assign(written.first(std::min<std::size_t>(written.size(), 1)), row.destinations, instruction.destinations);
  assign(read, row.sources, instruction.sources);
  requireRegisters(entry, row.destinations, instruction.destinations, line.opcode, where);
  requireRegisters(entry, row.sources, instruction.sources, line.opcode, where);
}

}  // namespace

CodeEntry lower(const InstructionLine& line, u32 smVersion, const SourcePosition& where) {
  const OpcodeRow& row = rowOf(line.opcode, smVersion, where);
  CodeEntry entry;
  entry.form = row.form;
  entry.instruction.opcode = row.operation;
  entry.instruction.type = row.type;
  entry.instruction.sourceType = DataType::u32;
  setForm(entry, row, line, where);
  setAccess(entry);
  setRegisters(entry, line, where);
  entry.instruction.sourceLine = line.sourceLine;
  return entry;
}

}  // namespace warpwright::sass
