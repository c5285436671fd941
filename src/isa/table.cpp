// The instruction table as data, and what its operand letters mean.
#include <array>
#include <cctype>

#include "isa/instruction.hpp"

namespace warpwright::isa {
namespace {

constexpr u32 bit(DataType type) { return 1u << static_cast<u32>(type); }

constexpr std::array<OpcodeInfo, kOpcodes> makeTable() {
  // The names by which table.def gives sets of types.
  [[maybe_unused]] constexpr u32 U32 = bit(DataType::u32), S32 = bit(DataType::s32), I32 = U32 | S32;
  [[maybe_unused]] constexpr u32 U64 = bit(DataType::u64), S64 = bit(DataType::s64), I64 = U64 | S64;
  [[maybe_unused]] constexpr u32 U16 = bit(DataType::u16), I16 = U16 | bit(DataType::s16), U = U16 | U32 | U64;
  [[maybe_unused]] constexpr u32 F32 = bit(DataType::f32), F = F32 | bit(DataType::f64), PRED = bit(DataType::pred);
  [[maybe_unused]] constexpr u32 I8 = bit(DataType::u8) | bit(DataType::s8);
  [[maybe_unused]] constexpr u32 ALL = I8 | I16 | I32 | I64 | F | bit(DataType::f16) | bit(DataType::bf16), ALLMEM = ALL;
  [[maybe_unused]] constexpr u32 H = bit(DataType::f16) | bit(DataType::bf16), H2 = bit(DataType::f16x2) | bit(DataType::bf16x2);
  [[maybe_unused]] constexpr u32 I16X2 = bit(DataType::u16x2) | bit(DataType::s16x2), F16X2 = bit(DataType::f16x2);
  [[maybe_unused]] constexpr u32 TEXEL = I32 | F32 | bit(DataType::f16), SURFACE = bit(DataType::u8) | U;
  return {{
#define WW_OP(id, mnemonic, family, handler, work, across, flow, effect, kind, types, destinations, sources)                 \
  OpcodeInfo{#id,        mnemonic, Family::family, Handler::handler, Work::work, Across::across, Flow::flow, Effect::effect, \
             Kind::kind, types,    destinations,   sources},
#include "isa/table.def"
  }};
}

constexpr std::array<OpcodeInfo, kOpcodes> kTable = makeTable();

DataType twiceAsWide(DataType type) {
  switch (type) {
    case DataType::u8:
      return DataType::u16;
    case DataType::s8:
      return DataType::s16;
    case DataType::u16:
      return DataType::u32;
    case DataType::s16:
      return DataType::s32;
    case DataType::u32:
      return DataType::u64;
    case DataType::s32:
      return DataType::s64;
    default:
      return DataType::none;
  }
}

}  // namespace

const OpcodeInfo& info(Opcode opcode) { return kTable[static_cast<u32>(opcode)]; }

DataType operandType(const Instruction& instruction, char letter, u32 addressBits) {
  switch (std::toupper(static_cast<unsigned char>(letter))) {
    case 'T':
    case 'M':
      return instruction.type;
    case 'W':
      return twiceAsWide(instruction.type);
    case 'S':
      return instruction.sourceType;
    case 'P':
      return DataType::pred;
    case 'U':
    case 'D':
    case 'E':
    case 'X':
    case 'Y':
    case 'Z':
      return DataType::u32;
    case 'Q':
      return DataType::u64;
    case 'C':
      return instruction.sourceType;
    case 'B':
      return addressBits == 32 ? DataType::u32 : DataType::u64;
    case 'A':
      return addressBits == 32 || (letter == 'a' && instruction.modifiers.wordAddress) ? DataType::u32 : DataType::u64;
    default:
      return DataType::none;
  }
}

u32 operandWords(const Instruction& instruction, char letter, u32 addressBits) {
  constexpr std::string_view kFragments = "DXYZ";
  if (letter == 'E') return instruction.modifiers.matrix.words[0];
  if (const std::size_t fragment = kFragments.find(letter); fragment != kFragments.npos)
    return instruction.modifiers.matrix.words[fragment];
  const u32 words = registerWords(operandType(instruction, letter, addressBits));
  if (letter == 'C') return coordinatesOf(instruction.modifiers.geometry);
  return letter == 'M' || letter == 'm' ? words * instruction.vector : words;
}

}  // namespace warpwright::isa
