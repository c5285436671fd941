#include "compiler/word_value.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

using isa::Operand;

bool formGroup(const MachineFunction& function, std::span<const WordValue> words) {
  const u32 first = words[0].unit;
  for (u32 w = 0; w < words.size(); ++w)
    if (words[w].unit != first + w) return false;
  if (words.size() == 1) return true;
  if (first == kStackWord || function.groupOf[first] != function.groupOf[first + words.size() - 1]) return false;
  const u32 alignment = words.size() > 2 ? 4 : 2;
  const RegisterGroup& group = function.groups[function.groupOf[first]];
  return group.alignment >= alignment && (first - group.first) % alignment == 0;
}

bool sameSymbol(const isa::SymbolAddress& a, const isa::SymbolAddress& b) {
  return a.kind == b.kind && a.index == b.index && a.generic == b.generic && a.addend == b.addend;
}

}  // namespace

std::optional<Operand> operandOf(const MachineFunction& function, std::span<const WordValue> words,
                                 std::optional<isa::SymbolAddress>& symbol) {
  const WordValue::Kind kind = words[0].kind;
  if (!std::all_of(words.begin(), words.end(), [&](const WordValue& word) { return word.kind == kind; })) return std::nullopt;
  switch (kind) {
    case WordValue::Kind::unit:
      if (!formGroup(function, words)) return std::nullopt;
      return Operand::makeRegister(words[0].unit);
    case WordValue::Kind::immediate:
      if (words.size() > 2) return std::nullopt;
      return Operand::makeImmediate(words.size() == 2 ? words[0].bits | u64{words[1].bits} << 32 : words[0].bits);
    case WordValue::Kind::param:
      if (words.size() > 2 || (words.size() == 2 && (words[1].offset != words[0].offset + 4 || words[0].offset % 8 != 0)))
        return std::nullopt;
      return Operand::makeParam(words[0].offset);
    case WordValue::Kind::symbol:
      for (u32 w = 0; w < words.size(); ++w)
        if (words[w].half != w || !sameSymbol(words[w].symbol, words[0].symbol)) return std::nullopt;
      if (words.size() != function.addressWords()) return std::nullopt;
      symbol = words[0].symbol;
      return Operand::makeImmediate(0);
    default:
      return std::nullopt;
  }
}

WordValue wordOfMove(const MachineInstruction& move, u32 word) {
  const Operand& from = move.sources[0];
  WordValue value;
  if (move.addsFrame) return value;
  switch (from.kind) {
    case Operand::Kind::reg:
      if (from.index == kStackWord) return value;
      value.kind = WordValue::Kind::unit;
      value.unit = from.index + word;
      return value;
    case Operand::Kind::immediate:
      if (move.symbol) {
        value.kind = WordValue::Kind::symbol;
        value.half = word;
        value.symbol = move.symbol->address;
        return value;
      }
      value.kind = WordValue::Kind::immediate;
      value.bits = static_cast<u32>(from.value >> (32 * word));
      return value;
    case Operand::Kind::param:
      value.kind = WordValue::Kind::param;
      value.offset = from.value + 4 * word;
      return value;
    default:
      return value;
  }
}

}  // namespace warpwright::compiler
