// Registers of 128 bits, accesses of 16 and 32 bytes, and atomic operations on vectors: as several instructions of the machine.
#include "compiler/select/machine_terms.hpp"
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

constexpr u32 kQuadWords = 4;

Operand word(u32 first, u32 index) { return Operand::makeRegister(first + index); }

}  // namespace

// The first word of a 128-bit register.
u32 Selector::quadOf(const ptx::Operand& source) const {
  if (source.kind != Kind::reg || registerWordsOf(source.reg) != kQuadWords) unsupported("a 128-bit register is needed here");
  return firstWord(source.reg);
}

// mov.b128: a copy, {low, high} joined, or the two parted.
void Selector::moveQuad() {
  const ptx::Operand &to = operand(0), &from = operand(1);
  u32 words[kQuadWords];
  for (u32 i = 0; i < kQuadWords; ++i) words[i] = temporary(DataType::u32).index;
  if (from.kind == Kind::vector && from.elements.size() != 2) unsupported("128 bits are two registers of 64");
  if (to.kind == Kind::vector && to.elements.size() != 2) unsupported("128 bits are two registers of 64");
  for (u32 i = 0; i < kQuadWords; ++i) {
    const u32 source = from.kind == Kind::vector ? useInRegister(from.elements[i / 2], DataType::u64).index + i % 2 : quadOf(from) + i;
    compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(words[i])}, {Operand::makeRegister(source)});
  }
  for (u32 i = 0; i < kQuadWords; ++i) {
    const u32 destination = to.kind == Kind::vector ? define(to.elements[i / 2], DataType::u64).index + i % 2 : quadOf(to) + i;
    copyWord(destination, Operand::makeRegister(words[i]));
  }
}

void Selector::loadQuad(const Address& address) {
  const u32 to = quadOf(operand(0)), group = code_.newGroup(kQuadWords, kQuadWords);
  emitLoad(address, DataType::u32, kQuadWords, Operand::makeRegister(group));
  for (u32 i = 0; i < kQuadWords; ++i) copyWord(to + i, word(group, i));
}

void Selector::storeQuad(const Address& address) {
  const u32 from = quadOf(operand(1)), group = code_.newGroup(kQuadWords, kQuadWords);
  for (u32 i = 0; i < kQuadWords; ++i) compute(isa::Opcode::mov, DataType::u32, {word(group, i)}, {word(from, i)});
  emitStore(address, DataType::u32, kQuadWords, Operand::makeRegister(group));
}

// Vectors of 32 bytes: two accesses of 16. Both are read before a destination is written, which may be the address.
void Selector::loadWideVector(const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = operand(0).elements;
  const u32 words = isa::registerWords(type), half = static_cast<u32>(elements.size()) / 2;
  const u32 groups[] = {code_.newGroup(half * words, half * words), code_.newGroup(half * words, half * words)};
  for (u32 part = 0; part < 2; ++part) {
    Address place = address;
    advance(place, part * half * isa::sizeOf(type));
    emitLoad(place, type, half, Operand::makeRegister(groups[part]));
  }
  for (u32 i = 0; i < 2 * half; ++i) {
    if (elements[i].kind == Kind::discard) continue;
    const Operand to = define(elements[i], type);
    for (u32 w = 0; w < words; ++w) copyWord(to.index + w, word(groups[i / half], i % half * words + w));
    extend(elements[i], type);
  }
}

void Selector::storeWideVector(const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = operand(1).elements;
  const u32 words = isa::registerWords(type), half = static_cast<u32>(elements.size()) / 2;
  for (u32 part = 0; part < 2; ++part) {
    const u32 group = code_.newGroup(half * words, half * words);
    for (u32 i = 0; i < half; ++i) {
      const Operand to = word(group, i * words);
      compute(isa::Opcode::mov, words == 2 ? DataType::u64 : DataType::u32, {to}, {use(elements[part * half + i], type)});
    }
    Address place = address;
    advance(place, part * half * isa::sizeOf(type));
    emitStore(place, type, half, Operand::makeRegister(group));
  }
}

void Selector::advance(Address& address, s64 bytes) {
  address.offset += bytes;
  if (address.symbol) address.symbol->addend += bytes;
}

// PTX promises atomicity for each element alone, so that each is an operation of its own.
void Selector::atomicVector() {
  const DataType type = typeFor(isa::Opcode::atom, in_->modifiers.type);
  const bool reduction = in_->opcode == ptx::Opcode::red;
  const u32 first = reduction ? 0 : 1;
  const std::vector<ptx::Operand>& values = operand(first + 1).elements;
  const Address address = addressOperand(operand(first), spaceOf(in_->modifiers.space));
  std::vector<Operand> results;
  for (u32 i = 0; i < values.size(); ++i) {
    const bool wanted = !reduction && operand(0).elements[i].kind != Kind::discard;
    results.push_back(wanted ? temporary(type) : Operand{});
    const Operand value = useInRegister(values[i], type);
    Address place = address;
    advance(place, i * isa::sizeOf(type));
    MachineInstruction& atomic = emit(isa::Opcode::atom, type, {results[i]}, {Operand{}, value});
    setMemoryModifiers(atomic.modifiers);
    atomic.modifiers.atomic = machineTerm(in_->modifiers.atomic);
    setAddress(atomic, place);
  }
  if (reduction) return;
  for (u32 i = 0; i < values.size(); ++i)
    if (results[i].kind != Operand::Kind::none) copyWord(define(operand(0).elements[i], type).index, results[i]);
}

}  // namespace warpwright::compiler
