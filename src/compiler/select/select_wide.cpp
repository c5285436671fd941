// Registers of 128 bits, accesses of 16 and 32 bytes, and atomic operations on vectors: as several instructions of the machine.
#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

constexpr u32 kQuadWords = 4;

Operand word(u32 first, u32 index) { return Operand::makeRegister(first + index); }

// The first word of a 128-bit register.
u32 quadOf(const Selector& s, const ptx::Operand& source) {
  if (source.kind != Kind::reg || s.registerWordsOf(source.reg) != kQuadWords) s.unsupported("a 128-bit register is needed here");
  return s.firstWord(source.reg);
}

void advance(Address& address, s64 bytes) {
  address.offset += bytes;
  if (address.symbol) address.symbol->addend += bytes;
}

}  // namespace

// mov.b128: a copy, {low, high} joined, or the two parted.
void moveQuad(Selector& s) {
  const ptx::Operand &to = s.operand(0), &from = s.operand(1);
  u32 words[kQuadWords];
  for (u32 i = 0; i < kQuadWords; ++i) words[i] = s.temporary(DataType::u32).index;
  if (from.kind == Kind::vector && from.elements.size() != 2) s.unsupported("128 bits are two registers of 64");
  if (to.kind == Kind::vector && to.elements.size() != 2) s.unsupported("128 bits are two registers of 64");
  for (u32 i = 0; i < kQuadWords; ++i) {
    const u32 source = from.kind == Kind::vector ? s.useInRegister(from.elements[i / 2], DataType::u64).index + i % 2 : quadOf(s, from) + i;
    s.compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(words[i])}, {Operand::makeRegister(source)});
  }
  for (u32 i = 0; i < kQuadWords; ++i) {
    const u32 destination = to.kind == Kind::vector ? s.define(to.elements[i / 2], DataType::u64).index + i % 2 : quadOf(s, to) + i;
    s.copyWord(destination, Operand::makeRegister(words[i]));
  }
}

void loadQuad(Selector& s, const Address& address) {
  const u32 to = quadOf(s, s.operand(0)), group = s.code().newGroup(kQuadWords, kQuadWords);
  emitLoad(s, address, DataType::u32, kQuadWords, Operand::makeRegister(group));
  for (u32 i = 0; i < kQuadWords; ++i) s.copyWord(to + i, word(group, i));
}

void storeQuad(Selector& s, const Address& address) {
  const u32 from = quadOf(s, s.operand(1)), group = s.code().newGroup(kQuadWords, kQuadWords);
  for (u32 i = 0; i < kQuadWords; ++i) s.compute(isa::Opcode::mov, DataType::u32, {word(group, i)}, {word(from, i)});
  emitStore(s, address, DataType::u32, kQuadWords, Operand::makeRegister(group));
}

// Vectors of 32 bytes: two accesses of 16. Both are read before a destination is written, which may be the address.
void loadWideVector(Selector& s, const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = s.operand(0).elements;
  const u32 words = isa::registerWords(type), half = static_cast<u32>(elements.size()) / 2;
  const u32 groups[] = {s.code().newGroup(half * words, half * words), s.code().newGroup(half * words, half * words)};
  for (u32 part = 0; part < 2; ++part) {
    Address ownAddress = address;
    advance(ownAddress, part * half * isa::sizeOf(type));
    emitLoad(s, ownAddress, type, half, Operand::makeRegister(groups[part]));
  }
  for (u32 i = 0; i < 2 * half; ++i) {
    if (elements[i].kind == Kind::discard) continue;
    const Operand to = s.define(elements[i], type);
    for (u32 w = 0; w < words; ++w) s.copyWord(to.index + w, word(groups[i / half], i % half * words + w));
    s.extend(elements[i], type);
  }
}

void storeWideVector(Selector& s, const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = s.operand(1).elements;
  const u32 words = isa::registerWords(type), half = static_cast<u32>(elements.size()) / 2;
  for (u32 part = 0; part < 2; ++part) {
    const u32 group = s.code().newGroup(half * words, half * words);
    for (u32 i = 0; i < half; ++i) {
      const Operand to = word(group, i * words);
      s.compute(isa::Opcode::mov, words == 2 ? DataType::u64 : DataType::u32, {to}, {s.use(elements[part * half + i], type)});
    }
    Address ownAddress = address;
    advance(ownAddress, part * half * isa::sizeOf(type));
    emitStore(s, ownAddress, type, half, Operand::makeRegister(group));
  }
}

// PTX promises atomicity for each element alone, so that each is an operation of its own.
void atomicVector(Selector& s) {
  const DataType type = s.typeFor(isa::Opcode::atom, s.in().modifiers.type);
  const bool reduction = s.in().opcode == ptx::Opcode::red;
  const u32 first = reduction ? 0 : 1;
  const std::vector<ptx::Operand>& values = s.operand(first + 1).elements;
  const Address address = s.addressOperand(s.operand(first), s.spaceOf(s.in().modifiers.space));
  std::vector<Operand> results;
  for (u32 i = 0; i < values.size(); ++i) {
    const bool wanted = !reduction && s.operand(0).elements[i].kind != Kind::discard;
    results.push_back(wanted ? s.temporary(type) : Operand{});
    const Operand value = s.useInRegister(values[i], type);
    Address ownAddress = address;
    advance(ownAddress, i * isa::sizeOf(type));
    MachineInstruction& atomic = s.emit(isa::Opcode::atom, type, {results[i]}, {Operand{}, value});
    s.setMemoryModifiers(atomic.modifiers);
    atomic.modifiers.atomic = machineTerm(s.in().modifiers.atomic);
    s.setAddress(atomic, ownAddress);
  }
  if (reduction) return;
  for (u32 i = 0; i < values.size(); ++i)
    if (results[i].kind != Operand::Kind::none) s.copyWord(s.define(s.operand(0).elements[i], type).index, results[i]);
}

}  // namespace warpwright::compiler
