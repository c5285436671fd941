// Textures and surfaces. Arrays have one level, so the level and the gradients of .level and .grad select it whatever they are.
#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

// A register that holds an object, or the address that stands for a reference.
Operand textureHandle(Selector& s, const ptx::Operand& texel) {
  if (texel.reg != ptx::kNoIndex) return Operand::makeRegister(s.firstWord(texel.reg));
  ptx::Operand name = texel;
  name.kind = Kind::symbol;
  name.elements.clear();
  return s.addressOf(name, true, DataType::u64);
}

// The coordinates side by side.
Operand textureCoordinates(Selector& s, const ptx::Operand& texel, DataType type) {
  const u32 count = static_cast<u32>(texel.elements.size());
  const u32 group = s.code().newGroup(count, alignmentOfGroup(count));
  const bool indexed = isa::coordinatesOf(machineTerm(s.in().modifiers.geometry)) == count &&
                       (s.in().modifiers.geometry == ptx::Geometry::a1d || s.in().modifiers.geometry == ptx::Geometry::a2d ||
                        s.in().modifiers.geometry == ptx::Geometry::acube);
  for (u32 i = 0; i < count; ++i)
    s.compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(group + i)},
              {s.use(texel.elements[i], indexed && i == 0 ? DataType::u32 : type)});
  return Operand::makeRegister(group);
}

MachineInstruction& emitTexture(Selector& s, isa::Opcode opcode, DataType type, u32 vector, const ptx::Operand& texel,
                                Operand destination) {
  const DataType coordinateType = dataType(s.in().modifiers.source) == DataType::f32 ? DataType::f32 : DataType::s32;
  const Operand handle = textureHandle(s, texel);
  const Operand coordinates = textureCoordinates(s, texel, coordinateType);
  MachineInstruction& result = s.emit(opcode, type, {destination}, {handle, coordinates});
  result.sourceType = coordinateType;
  result.vector = static_cast<u8>(vector);
  result.modifiers.geometry = machineTerm(s.in().modifiers.geometry);
  result.modifiers.boundary = machineTerm(s.in().modifiers.boundary);
  result.modifiers.formatted = s.in().modifiers.formatted;
  return result;
}

// Elements of a vector, or the one value.
std::vector<ptx::Operand> elementsOf(const ptx::Operand& value) {
  return value.kind == Kind::vector ? value.elements : std::vector<ptx::Operand>{value};
}

void takeElements(Selector& s, const std::vector<ptx::Operand>& elements, u32 group, DataType type) {
  const u32 words = isa::registerWords(type);
  for (u32 i = 0; i < elements.size(); ++i) {
    if (elements[i].kind == Kind::discard) continue;
    const Operand to = s.define(elements[i], type);
    for (u32 w = 0; w < words; ++w) s.copyWord(to.index + w, Operand::makeRegister(group + i * words + w));
    s.extend(elements[i], type);
  }
}

// Every texel is resident: the second destination is true.
void setResident(Selector& s) {
  if (s.in().secondDestination.kind != Kind::reg) return;
  s.emit(isa::Opcode::mov, DataType::pred, {s.definePredicate(s.in().secondDestination)}, {Operand::makePredicate(isa::kTruePredicate)});
}

}  // namespace

void selectTex(Selector& s) {
  const DataType type = dataType(s.in().modifiers.type);
  const u32 group = s.code().newGroup(4, 4);
  MachineInstruction& fetch = emitTexture(s, isa::Opcode::tex, type, 4, s.operand(1), Operand::makeRegister(group));
  fetch.modifiers.gather = s.in().opcode == ptx::Opcode::tld4;
  fetch.modifiers.component = s.in().modifiers.component;
  takeElements(s, s.operand(0).elements, group, type);
  setResident(s);
}

void selectTextureQuery(Selector& s) {
  const Operand handle = textureHandle(s, s.operand(1));
  const Operand to = s.define(s.operand(0), DataType::u32);
  s.emit(isa::Opcode::txq, DataType::u32, {to}, {handle}).modifiers.query = machineTerm(s.in().modifiers.query);
}

void selectSuld(Selector& s) {
  const DataType type = unsignedOf(dataType(s.in().modifiers.type));
  const std::vector<ptx::Operand> elements = elementsOf(s.operand(0));
  const u32 words = static_cast<u32>(elements.size()) * isa::registerWords(type);
  const u32 group = s.code().newGroup(words, alignmentOfGroup(words));
  emitTexture(s, isa::Opcode::suld, type, static_cast<u32>(elements.size()), s.operand(1), Operand::makeRegister(group));
  takeElements(s, elements, group, type);
}

void selectSust(Selector& s) {
  const DataType type = s.in().modifiers.formatted ? DataType::u32 : unsignedOf(dataType(s.in().modifiers.type));
  const std::vector<ptx::Operand> elements = elementsOf(s.operand(1));
  const u32 count = static_cast<u32>(elements.size()), words = isa::registerWords(type);
  const u32 group = s.code().newGroup(count * words, alignmentOfGroup(count * words));
  const bool floats = s.in().modifiers.type == ptx::Type::f32;
  for (u32 i = 0; i < count; ++i)
    s.compute(isa::Opcode::mov, words == 2 ? DataType::u64 : DataType::u32, {Operand::makeRegister(group + i * words)},
              {s.use(elements[i], floats ? DataType::f32 : type)});
  emitTexture(s, isa::Opcode::sust, type, count, s.operand(0), Operand{}).sources[2] = Operand::makeRegister(group);
}

void selectSured(Selector& s) {
  const DataType type = dataType(s.in().modifiers.type);
  const Operand value = s.useInRegister(s.operand(1), type);
  MachineInstruction& reduction = emitTexture(s, isa::Opcode::sured, type, 1, s.operand(0), Operand{});
  reduction.sources[2] = value;
  reduction.modifiers.atomic = machineTerm(s.in().modifiers.atomic);
}

}  // namespace warpwright::compiler
