// mov: copies, addresses, special registers, packing and unpacking of vectors.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

void movePredicate(Selector& s) {
  s.emit(isa::Opcode::mov, DataType::pred, {s.definePredicate(s.operand(0))}, {s.usePredicate(s.operand(1))});
}

// mov.b32 d, {a, b}: the first element is the least significant.
void packVector(Selector& s) {
  const std::vector<ptx::Operand>& elements = s.operand(1).elements;
  const u32 bytes = ptx::sizeOf(s.in().modifiers.type);
  const u32 elementBytes = elements.empty() ? 0 : bytes / static_cast<u32>(elements.size());
  const DataType bits = bitsType(bytes);
  if (bits == DataType::none || elementBytes * elements.size() != bytes) s.unsupported("this packing is not part of the machine");
  const Operand to = s.define(s.operand(0), bits);
  const auto element = [&](u32 i) { return s.use(elements[i], bitsType(elementBytes)); };
  if (elementBytes == 4) {
    // Both sources are read before a destination word is written: mov.b64 d, {d.hi, d.lo} swaps.
    const Operand low = s.temporary(DataType::u32), high = s.temporary(DataType::u32);
    s.copyWord(low.index, element(0));
    s.copyWord(high.index, element(1));
    s.copyWord(to.index, low);
    s.copyWord(to.index + 1, high);
    return;
  }
  if (elementBytes == 2) {
    for (u32 word = 0; word < bytes / 4; ++word) {
      const Operand low = element(2 * word), high = element(2 * word + 1);
      s.emit(isa::Opcode::pack16, DataType::u32, {Operand::makeRegister(to.index + word)}, {low, high});
    }
    return;
  }
  Operand parts[4] = {Operand::makeImmediate(0), Operand::makeImmediate(0), Operand::makeImmediate(0), Operand::makeImmediate(0)};
  if (elementBytes != 1 || elements.size() > 4) s.unsupported("this packing is not part of the machine");
  for (u32 i = 0; i < elements.size(); ++i) parts[i] = element(i);
  s.emit(isa::Opcode::pack8, DataType::u32, {to}, {parts[0], parts[1], parts[2], parts[3]});
}

void unpackVector(Selector& s) {
  const std::vector<ptx::Operand>& elements = s.operand(0).elements;
  const u32 bytes = ptx::sizeOf(s.in().modifiers.type);
  const u32 elementBytes = elements.empty() ? 0 : bytes / static_cast<u32>(elements.size());
  const DataType bits = bitsType(bytes);
  if (bits == DataType::none || elementBytes * elements.size() != bytes) s.unsupported("this unpacking is not part of the machine");
  const Operand from = s.useInRegister(s.operand(1), bits);
  const auto element = [&](u32 i) { return s.define(elements[i], bitsType(elementBytes)); };
  if (elementBytes == 4) {
    // The destination may be a part of a register pair only through another name, but both words are read first all the same.
    const Operand low = s.temporary(DataType::u32), high = s.temporary(DataType::u32);
    s.copyWord(low.index, from);
    s.copyWord(high.index, Operand::makeRegister(from.index + 1));
    s.copyWord(element(0).index, low);
    s.copyWord(element(1).index, high);
    return;
  }
  if (elementBytes == 2) {
    for (u32 word = 0; word < bytes / 4; ++word) {
      const Operand low = element(2 * word), high = element(2 * word + 1);
      s.emit(isa::Opcode::unpack16, DataType::u32, {low, high}, {Operand::makeRegister(from.index + word)});
    }
    return;
  }
  if (elementBytes != 1 || elements.size() > 4) s.unsupported("this unpacking is not part of the machine");
  Operand parts[4];
  for (u32 i = 0; i < 4; ++i) parts[i] = i < elements.size() ? element(i) : s.temporary(DataType::u32);
  s.emit(isa::Opcode::unpack8, DataType::u32, {parts[0], parts[1], parts[2], parts[3]}, {from});
}

}  // namespace

void selectMov(Selector& s) {
  const DataType type = dataType(s.in().modifiers.type);
  const ptx::Operand& to = s.operand(0);
  const ptx::Operand& from = s.operand(1);
  if (s.in().modifiers.type == ptx::Type::b128) return moveQuad(s);
  if (type == DataType::pred) return movePredicate(s);
  if (to.kind == Kind::vector && from.kind != Kind::vector) return unpackVector(s);
  if (from.kind == Kind::vector && to.kind != Kind::vector) return packVector(s);
  if (to.kind == Kind::vector) s.unsupported("only one side may be a vector");
  // f16x2 and the like are 32 untyped bits here.
  const DataType bits = bitsType(ptx::sizeOf(s.in().modifiers.type));
  if (bits == DataType::none) s.unsupported("the machine has no such type");
  const bool wide = isa::registerWords(bits) == 2;
  Operand value;
  if (from.kind == Kind::floating) {
    value = s.literal(from, type == DataType::none ? bits : type);
  } else {
    value = s.use(from, bits);
  }
  s.emit(isa::Opcode::mov, wide ? DataType::u64 : DataType::u32, {s.define(to, bits)}, {value});
}

}  // namespace warpwright::compiler
