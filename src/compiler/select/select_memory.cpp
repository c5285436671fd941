// Loads, stores, atomics, fences and address conversions.
#include "compiler/select/machine_terms.hpp"
#include "compiler/select/selector.hpp"
#include "isa/address_space.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

// Memory moves bits: a float is loaded as it is stored. Signedness matters for narrow types only.
DataType memoryType(ptx::Type type) {
  const DataType machine = dataType(type);
  const bool isNarrowFloat = isa::isFloat(machine) && machine != DataType::f32 && machine != DataType::f64;
  return machine == DataType::none || isNarrowFloat ? bitsType(ptx::sizeOf(type)) : machine;
}

u32 alignmentOfGroup(u32 words) { return words <= 1 ? 1 : words <= 2 ? 2 : 4; }

}  // namespace

MachineInstruction& Selector::emitLoad(const Address& address, DataType type, u32 vector, Operand destination) {
  MachineInstruction& load = emit(isa::Opcode::ld, type, {destination}, {});
  load.vector = static_cast<u8>(vector);
  if (in_ != nullptr && (in_->opcode == ptx::Opcode::ld || in_->opcode == ptx::Opcode::ldu)) setMemoryModifiers(load.modifiers);
  setAddress(load, address);
  return load;
}

MachineInstruction& Selector::emitStore(const Address& address, DataType type, u32 vector, Operand value) {
  MachineInstruction& store = emit(isa::Opcode::st, type, {}, {Operand{}, value});
  store.vector = static_cast<u8>(vector);
  if (in_ != nullptr && in_->opcode == ptx::Opcode::st) setMemoryModifiers(store.modifiers);
  setAddress(store, address);
  return store;
}

// Kernel parameters at fixed places are operands, not loads.
void Selector::loadParameter(const ptx::Operand& destination, DataType type, u64 offset) {
  const DataType bits = isa::sizeOf(type) == 8 ? DataType::u64 : DataType::u32;
  emit(isa::Opcode::mov, bits, {define(destination, type)}, {Operand::makeParam(offset)});
}

void Selector::selectLd() {
  if (in_->modifiers.type == ptx::Type::b128) return loadQuad(addressOperand(operand(1), spaceOf(in_->modifiers.space)));
  const DataType type = memoryType(in_->modifiers.type);
  if (type == DataType::none || type == DataType::pred) unsupported("the machine cannot load this type");
  const Address address = addressOperand(operand(1), spaceOf(in_->modifiers.space));
  const ptx::Operand& destination = operand(0);
  if (destination.kind == Kind::vector) return loadVector(address, type);
  const bool fixedParameter = address.space == isa::Space::param && address.base.kind == Operand::Kind::none;
  if (fixedParameter && isa::sizeOf(type) >= 4) {
    loadParameter(destination, type, static_cast<u64>(address.offset));
  } else {
    const Operand to = define(destination, type);
    emitLoad(address, type, 1, to);
  }
  extend(destination, type);
}

void Selector::loadVector(const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = operand(0).elements;
  const u32 count = static_cast<u32>(elements.size()), words = isa::registerWords(type);
  if (count * isa::sizeOf(type) > 16) return loadWideVector(address, type);
  if (count != 2 && count != 4) unsupported("vectors have 2 or 4 elements");
  const u32 group = code_.newGroup(count * words, alignmentOfGroup(count * words));
  emitLoad(address, type, count, Operand::makeRegister(group));
  for (u32 i = 0; i < count; ++i) {
    if (elements[i].kind == Kind::discard) continue;
    const Operand to = define(elements[i], type);
    for (u32 w = 0; w < words; ++w) copyWord(to.index + w, Operand::makeRegister(group + i * words + w));
    extend(elements[i], type);
  }
}

void Selector::selectSt() {
  if (in_->modifiers.type == ptx::Type::b128) return storeQuad(addressOperand(operand(0), spaceOf(in_->modifiers.space)));
  const DataType type = unsignedOf(memoryType(in_->modifiers.type));
  if (type == DataType::none || type == DataType::pred) unsupported("the machine cannot store this type");
  const Address address = addressOperand(operand(0), spaceOf(in_->modifiers.space));
  if (operand(1).kind == Kind::vector) return storeVector(address, type);
  const Operand value = useInRegister(operand(1), type);
  emitStore(address, type, 1, value);
}

void Selector::storeVector(const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = operand(1).elements;
  const u32 count = static_cast<u32>(elements.size()), words = isa::registerWords(type);
  if (count * isa::sizeOf(type) > 16) return storeWideVector(address, type);
  if (count != 2 && count != 4) unsupported("vectors have 2 or 4 elements");
  const u32 group = code_.newGroup(count * words, alignmentOfGroup(count * words));
  for (u32 i = 0; i < count; ++i) {
    const Operand to = Operand::makeRegister(group + i * words);
    compute(isa::Opcode::mov, words == 2 ? DataType::u64 : DataType::u32, {to}, {use(elements[i], type)});
  }
  emitStore(address, type, count, Operand::makeRegister(group));
}

void Selector::selectAtom() {
  if (in_->modifiers.vector > 1) return atomicVector();
  const DataType type = typeFor(isa::Opcode::atom, in_->modifiers.type);
  const bool reduction = in_->opcode == ptx::Opcode::red;
  const u32 first = reduction ? 0 : 1;
  const Address address = addressOperand(operand(first), spaceOf(in_->modifiers.space));
  const Operand value = useInRegister(operand(first + 1), type);
  const Operand swap = in_->modifiers.atomic == ptx::AtomicOp::cas ? useInRegister(operand(first + 2), type) : Operand{};
  const bool wanted = !reduction && operand(0).kind != Kind::discard;
  const Operand destination = wanted ? define(operand(0), type) : Operand{};
  MachineInstruction& atomic = emit(isa::Opcode::atom, type, {destination}, {Operand{}, value, swap});
  setMemoryModifiers(atomic.modifiers);
  atomic.modifiers.atomic = machineTerm(in_->modifiers.atomic);
  atomic.modifiers.ftz = in_->modifiers.ftz;
  setAddress(atomic, address);
}

void Selector::selectRed() { selectAtom(); }

// cp.async.bulk.prefetch names global memory and a number of bytes. A generic address that prefetchu gets does nothing where it is that of
// another space: as an address of the global space it is one without memory.
void Selector::selectPrefetch() {
  const bool isGlobal = in_->modifiers.bulk || in_->opcode == ptx::Opcode::prefetchu;
  const Address address = addressOperand(operand(0), isGlobal ? isa::Space::global : spaceOf(in_->modifiers.space));
  const Operand bytes = in_->modifiers.bulk ? use(operand(1), DataType::u32) : Operand{};
  MachineInstruction& prefetch = emit(isa::Opcode::prefetch, DataType::u32, {}, {Operand{}, bytes});
  if (in_->modifiers.secondLevel) prefetch.modifiers.cache = isa::CacheOp::cg;
  setAddress(prefetch, address);
}

// membar.cta/gl/sys is the sequentially consistent fence of that scope.
void Selector::selectFence() {
  MachineInstruction& fence = emit(isa::Opcode::fence, DataType::u32);
  setMemoryModifiers(fence.modifiers);
  if (in_->opcode == ptx::Opcode::membar || fence.modifiers.ordering == isa::Ordering::weak) fence.modifiers.ordering = isa::Ordering::sc;
}

// Windows lie at fixed generic addresses, so a conversion is an addition; global addresses are generic ones.
void Selector::selectCvta() {
  const DataType type = dataType(in_->modifiers.type) == DataType::u32 ? DataType::u32 : DataType::u64;
  const ptx::Operand& from = operand(1);
  if (from.kind == Kind::symbol) {
    const Operand address = addressOf(from, !in_->modifiers.toSpace, type);
    emit(isa::Opcode::mov, type, {define(operand(0), type)}, {address});
    return;
  }
  const Operand value = use(from, type);
  const Operand to = define(operand(0), type);
  u64 window = 0;
  switch (in_->modifiers.space) {
    case ptx::Space::shared:
      window = isa::kSharedWindow;
      break;
    case ptx::Space::local:
      window = isa::kLocalWindow;
      break;
    case ptx::Space::constant:
      window = isa::kConstantWindow;
      break;
    // Parameters of device functions lie in local memory.
    case ptx::Space::param:
      window = source_.isKernel ? isa::kParamWindow : isa::kLocalWindow;
      break;
    default:
      break;
  }
  if (window == 0) {
    emit(isa::Opcode::mov, type, {to}, {value});
    return;
  }
  const u64 addend = in_->modifiers.toSpace ? ~window + 1 : window;
  emit(isa::Opcode::add, type, {to}, {value, Operand::makeImmediate(type == DataType::u32 ? static_cast<u32>(addend) : addend)});
}

void Selector::selectIsspacep() {
  const ptx::Operand& from = operand(1);
  const bool narrow = code_.addressBits == 32 || (from.kind == Kind::reg && registerWordsOf(from.reg) == 1);
  const DataType type = narrow ? DataType::u32 : DataType::u64;
  const Operand value = from.kind == Kind::symbol ? addressOf(from, true, type) : use(from, type);
  emit(isa::Opcode::isspacep, type, {definePredicate(operand(0))}, {value}).modifiers.space = spaceOf(in_->modifiers.space);
}

}  // namespace warpwright::compiler
