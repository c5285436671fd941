// mov: copies, addresses, special registers, packing and unpacking of vectors.
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

void Selector::selectMov() {
  const DataType type = dataType(in_->modifiers.type);
  const ptx::Operand& to = operand(0);
  const ptx::Operand& from = operand(1);
  if (in_->modifiers.type == ptx::Type::b128) return moveQuad();
  if (type == DataType::pred) return movePredicate();
  if (to.kind == Kind::vector && from.kind != Kind::vector) return unpackVector();
  if (from.kind == Kind::vector && to.kind != Kind::vector) return packVector();
  if (to.kind == Kind::vector) unsupported("only one side may be a vector");
  // f16x2 and the like are 32 untyped bits here.
  const DataType bits = bitsType(ptx::sizeOf(in_->modifiers.type));
  if (bits == DataType::none) unsupported("the machine has no such type");
  const bool wide = isa::registerWords(bits) == 2;
  Operand value;
  if (from.kind == Kind::floating) {
    value = literal(from, type == DataType::none ? bits : type);
  } else {
    value = use(from, bits);
  }
  emit(isa::Opcode::mov, wide ? DataType::u64 : DataType::u32, {define(to, bits)}, {value});
}

void Selector::movePredicate() { emit(isa::Opcode::mov, DataType::pred, {definePredicate(operand(0))}, {usePredicate(operand(1))}); }

// mov.b32 d, {a, b}: the first element is the least significant.
void Selector::packVector() {
  const std::vector<ptx::Operand>& elements = operand(1).elements;
  const u32 bytes = ptx::sizeOf(in_->modifiers.type);
  const u32 elementBytes = elements.empty() ? 0 : bytes / static_cast<u32>(elements.size());
  const DataType bits = bitsType(bytes);
  if (bits == DataType::none || elementBytes * elements.size() != bytes) unsupported("this packing is not part of the machine");
  const Operand to = define(operand(0), bits);
  const auto element = [&](u32 i) { return use(elements[i], bitsType(elementBytes)); };
  if (elementBytes == 4) {
    // Both sources are read before a destination word is written: mov.b64 d, {d.hi, d.lo} swaps.
    const Operand low = temporary(DataType::u32), high = temporary(DataType::u32);
    copyWord(low.index, element(0));
    copyWord(high.index, element(1));
    copyWord(to.index, low);
    copyWord(to.index + 1, high);
    return;
  }
  if (elementBytes == 2) {
    for (u32 word = 0; word < bytes / 4; ++word) {
      const Operand low = element(2 * word), high = element(2 * word + 1);
      emit(isa::Opcode::pack16, DataType::u32, {Operand::makeRegister(to.index + word)}, {low, high});
    }
    return;
  }
  Operand parts[4] = {Operand::makeImmediate(0), Operand::makeImmediate(0), Operand::makeImmediate(0), Operand::makeImmediate(0)};
  if (elementBytes != 1 || elements.size() > 4) unsupported("this packing is not part of the machine");
  for (u32 i = 0; i < elements.size(); ++i) parts[i] = element(i);
  emit(isa::Opcode::pack8, DataType::u32, {to}, {parts[0], parts[1], parts[2], parts[3]});
}

void Selector::unpackVector() {
  const std::vector<ptx::Operand>& elements = operand(0).elements;
  const u32 bytes = ptx::sizeOf(in_->modifiers.type);
  const u32 elementBytes = elements.empty() ? 0 : bytes / static_cast<u32>(elements.size());
  const DataType bits = bitsType(bytes);
  if (bits == DataType::none || elementBytes * elements.size() != bytes) unsupported("this unpacking is not part of the machine");
  const Operand from = useInRegister(operand(1), bits);
  const auto element = [&](u32 i) { return define(elements[i], bitsType(elementBytes)); };
  if (elementBytes == 4) {
    // The destination may be a part of a register pair only through another name, but both words are read first all the same.
    const Operand low = temporary(DataType::u32), high = temporary(DataType::u32);
    copyWord(low.index, from);
    copyWord(high.index, Operand::makeRegister(from.index + 1));
    copyWord(element(0).index, low);
    copyWord(element(1).index, high);
    return;
  }
  if (elementBytes == 2) {
    for (u32 word = 0; word < bytes / 4; ++word) {
      const Operand low = element(2 * word), high = element(2 * word + 1);
      emit(isa::Opcode::unpack16, DataType::u32, {low, high}, {Operand::makeRegister(from.index + word)});
    }
    return;
  }
  if (elementBytes != 1 || elements.size() > 4) unsupported("this unpacking is not part of the machine");
  Operand parts[4];
  for (u32 i = 0; i < 4; ++i) parts[i] = i < elements.size() ? element(i) : temporary(DataType::u32);
  emit(isa::Opcode::unpack8, DataType::u32, {parts[0], parts[1], parts[2], parts[3]}, {from});
}

}  // namespace warpwright::compiler
