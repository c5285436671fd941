// Textures and surfaces. Arrays have one level, so the level and the gradients of .level and .grad select it whatever they are.
#include "compiler/select/machine_terms.hpp"
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

u32 groupAlignment(u32 words) { return words <= 1 ? 1 : words <= 2 ? 2 : 4; }

}  // namespace

// A register that holds an object, or the address that stands for a reference.
Operand Selector::textureHandle(const ptx::Operand& place) {
  if (place.reg != ptx::kNoIndex) return Operand::makeRegister(firstWord(place.reg));
  ptx::Operand name = place;
  name.kind = Kind::symbol;
  name.elements.clear();
  return addressOf(name, true, DataType::u64);
}

// The coordinates side by side.
Operand Selector::textureCoordinates(const ptx::Operand& place, DataType type) {
  const u32 count = static_cast<u32>(place.elements.size());
  const u32 group = code_.newGroup(count, groupAlignment(count));
  const bool indexed = isa::coordinatesOf(machineTerm(in_->modifiers.geometry)) == count &&
                       (in_->modifiers.geometry == ptx::Geometry::a1d || in_->modifiers.geometry == ptx::Geometry::a2d ||
                        in_->modifiers.geometry == ptx::Geometry::acube);
  for (u32 i = 0; i < count; ++i)
    compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(group + i)},
            {use(place.elements[i], indexed && i == 0 ? DataType::u32 : type)});
  return Operand::makeRegister(group);
}

MachineInstruction& Selector::emitTexture(isa::Opcode opcode, DataType type, u32 vector, const ptx::Operand& place, Operand destination) {
  const DataType coordinateType = dataType(in_->modifiers.source) == DataType::f32 ? DataType::f32 : DataType::s32;
  const Operand handle = textureHandle(place);
  const Operand coordinates = textureCoordinates(place, coordinateType);
  MachineInstruction& result = emit(opcode, type, {destination}, {handle, coordinates});
  result.sourceType = coordinateType;
  result.vector = static_cast<u8>(vector);
  result.modifiers.geometry = machineTerm(in_->modifiers.geometry);
  result.modifiers.boundary = machineTerm(in_->modifiers.boundary);
  result.modifiers.formatted = in_->modifiers.formatted;
  return result;
}

// Elements of a vector, or the one value.
std::vector<ptx::Operand> Selector::elementsOf(const ptx::Operand& value) const {
  return value.kind == Kind::vector ? value.elements : std::vector<ptx::Operand>{value};
}

void Selector::takeElements(const std::vector<ptx::Operand>& elements, u32 group, DataType type) {
  const u32 words = isa::registerWords(type);
  for (u32 i = 0; i < elements.size(); ++i) {
    if (elements[i].kind == Kind::discard) continue;
    const Operand to = define(elements[i], type);
    for (u32 w = 0; w < words; ++w) copyWord(to.index + w, Operand::makeRegister(group + i * words + w));
    extend(elements[i], type);
  }
}

// Every texel is resident: the second destination is true.
void Selector::setResident() {
  if (in_->secondDestination.kind != Kind::reg) return;
  emit(isa::Opcode::mov, DataType::pred, {definePredicate(in_->secondDestination)}, {Operand::makePredicate(isa::kTruePredicate)});
}

void Selector::selectTex() {
  const DataType type = dataType(in_->modifiers.type);
  const u32 group = code_.newGroup(4, 4);
  MachineInstruction& fetch = emitTexture(isa::Opcode::tex, type, 4, operand(1), Operand::makeRegister(group));
  fetch.modifiers.gather = in_->opcode == ptx::Opcode::tld4;
  fetch.modifiers.component = in_->modifiers.component;
  takeElements(operand(0).elements, group, type);
  setResident();
}

void Selector::selectTextureQuery() {
  const Operand handle = textureHandle(operand(1));
  const Operand to = define(operand(0), DataType::u32);
  emit(isa::Opcode::txq, DataType::u32, {to}, {handle}).modifiers.query = machineTerm(in_->modifiers.query);
}

void Selector::selectSuld() {
  const DataType type = unsignedOf(dataType(in_->modifiers.type));
  const std::vector<ptx::Operand> elements = elementsOf(operand(0));
  const u32 words = static_cast<u32>(elements.size()) * isa::registerWords(type);
  const u32 group = code_.newGroup(words, groupAlignment(words));
  emitTexture(isa::Opcode::suld, type, static_cast<u32>(elements.size()), operand(1), Operand::makeRegister(group));
  takeElements(elements, group, type);
}

void Selector::selectSust() {
  const DataType type = in_->modifiers.formatted ? DataType::u32 : unsignedOf(dataType(in_->modifiers.type));
  const std::vector<ptx::Operand> elements = elementsOf(operand(1));
  const u32 count = static_cast<u32>(elements.size()), words = isa::registerWords(type);
  const u32 group = code_.newGroup(count * words, groupAlignment(count * words));
  const bool floats = in_->modifiers.type == ptx::Type::f32;
  for (u32 i = 0; i < count; ++i)
    compute(isa::Opcode::mov, words == 2 ? DataType::u64 : DataType::u32, {Operand::makeRegister(group + i * words)},
            {use(elements[i], floats ? DataType::f32 : type)});
  emitTexture(isa::Opcode::sust, type, count, operand(0), Operand{}).sources[2] = Operand::makeRegister(group);
}

void Selector::selectSured() {
  const DataType type = dataType(in_->modifiers.type);
  const Operand value = useInRegister(operand(1), type);
  MachineInstruction& reduction = emitTexture(isa::Opcode::sured, type, 1, operand(0), Operand{});
  reduction.sources[2] = value;
  reduction.modifiers.atomic = machineTerm(in_->modifiers.atomic);
}

}  // namespace warpwright::compiler
