// Loads, stores, atomics, fences and address conversions.
#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"
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

// Kernel parameters at fixed offsets are operands, not loads.
void loadParameter(Selector& s, const ptx::Operand& destination, DataType type, u64 offset) {
  const DataType bits = isa::sizeOf(type) == 8 ? DataType::u64 : DataType::u32;
  s.emit(isa::Opcode::mov, bits, {s.define(destination, type)}, {Operand::makeParam(offset)});
}

void loadVector(Selector& s, const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = s.operand(0).elements;
  const u32 count = static_cast<u32>(elements.size()), words = isa::registerWords(type);
  if (count * isa::sizeOf(type) > 16) return loadWideVector(s, address, type);
  if (count != 2 && count != 4) s.unsupported("vectors have 2 or 4 elements");
  const u32 group = s.code().newGroup(count * words, alignmentOfGroup(count * words));
  emitLoad(s, address, type, count, Operand::makeRegister(group));
  for (u32 i = 0; i < count; ++i) {
    if (elements[i].kind == Kind::discard) continue;
    const Operand to = s.define(elements[i], type);
    for (u32 w = 0; w < words; ++w) s.copyWord(to.index + w, Operand::makeRegister(group + i * words + w));
    s.extend(elements[i], type);
  }
}

void storeVector(Selector& s, const Address& address, DataType type) {
  const std::vector<ptx::Operand>& elements = s.operand(1).elements;
  const u32 count = static_cast<u32>(elements.size()), words = isa::registerWords(type);
  if (count * isa::sizeOf(type) > 16) return storeWideVector(s, address, type);
  if (count != 2 && count != 4) s.unsupported("vectors have 2 or 4 elements");
  const u32 group = s.code().newGroup(count * words, alignmentOfGroup(count * words));
  for (u32 i = 0; i < count; ++i) {
    const Operand to = Operand::makeRegister(group + i * words);
    s.compute(isa::Opcode::mov, words == 2 ? DataType::u64 : DataType::u32, {to}, {s.use(elements[i], type)});
  }
  emitStore(s, address, type, count, Operand::makeRegister(group));
}

}  // namespace

MachineInstruction& emitLoad(Selector& s, const Address& address, DataType type, u32 vector, Operand destination) {
  MachineInstruction& load = s.emit(isa::Opcode::ld, type, {destination}, {});
  load.vector = static_cast<u8>(vector);
  if (s.hasInstruction() && (s.in().opcode == ptx::Opcode::ld || s.in().opcode == ptx::Opcode::ldu)) s.setMemoryModifiers(load.modifiers);
  s.setAddress(load, address);
  return load;
}

MachineInstruction& emitStore(Selector& s, const Address& address, DataType type, u32 vector, Operand value) {
  MachineInstruction& store = s.emit(isa::Opcode::st, type, {}, {Operand{}, value});
  store.vector = static_cast<u8>(vector);
  if (s.hasInstruction() && s.in().opcode == ptx::Opcode::st) s.setMemoryModifiers(store.modifiers);
  s.setAddress(store, address);
  return store;
}

void selectLd(Selector& s) {
  if (s.in().modifiers.type == ptx::Type::b128) return loadQuad(s, s.addressOperand(s.operand(1), s.spaceOf(s.in().modifiers.space)));
  const DataType type = memoryType(s.in().modifiers.type);
  if (type == DataType::none || type == DataType::pred) s.unsupported("the machine cannot load this type");
  const Address address = s.addressOperand(s.operand(1), s.spaceOf(s.in().modifiers.space));
  const ptx::Operand& destination = s.operand(0);
  if (destination.kind == Kind::vector) return loadVector(s, address, type);
  const bool fixedParameter = address.space == isa::Space::param && address.base.kind == Operand::Kind::none;
  if (fixedParameter && isa::sizeOf(type) >= 4) {
    loadParameter(s, destination, type, static_cast<u64>(address.offset));
  } else {
    const Operand to = s.define(destination, type);
    emitLoad(s, address, type, 1, to);
  }
  s.extend(destination, type);
}

// st.async and red.async are done at once, as they may be, and complete their transactions then.
void selectSt(Selector& s) {
  if (s.in().modifiers.type == ptx::Type::b128) return storeQuad(s, s.addressOperand(s.operand(0), s.spaceOf(s.in().modifiers.space)));
  const DataType type = unsignedOf(memoryType(s.in().modifiers.type));
  if (type == DataType::none || type == DataType::pred) s.unsupported("the machine cannot store this type");
  const Address address = s.addressOperand(s.operand(0), s.spaceOf(s.in().modifiers.space));
  if (s.operand(1).kind == Kind::vector)
    storeVector(s, address, type);
  else
    emitStore(s, address, type, 1, s.useInRegister(s.operand(1), type));
  if (s.in().modifiers.isAsync) completeTransactions(s, s.operand(2), s.in().modifiers.vector * isa::sizeOf(type));
}

void selectAtom(Selector& s) {
  if (s.in().modifiers.vector > 1) return atomicVector(s);
  const DataType type = s.typeFor(isa::Opcode::atom, s.in().modifiers.type);
  const bool reduction = s.in().opcode == ptx::Opcode::red;
  const u32 first = reduction ? 0 : 1;
  const Address address = s.addressOperand(s.operand(first), s.spaceOf(s.in().modifiers.space));
  const Operand value = s.useInRegister(s.operand(first + 1), type);
  const Operand swap = s.in().modifiers.atomic == ptx::AtomicOp::cas ? s.useInRegister(s.operand(first + 2), type) : Operand{};
  const bool wanted = !reduction && s.operand(0).kind != Kind::discard;
  const Operand destination = wanted ? s.define(s.operand(0), type) : Operand{};
  MachineInstruction& atomic = s.emit(isa::Opcode::atom, type, {destination}, {Operand{}, value, swap});
  s.setMemoryModifiers(atomic.modifiers);
  atomic.modifiers.atomic = machineTerm(s.in().modifiers.atomic);
  atomic.modifiers.ftz = s.in().modifiers.ftz;
  s.setAddress(atomic, address);
  if (s.in().modifiers.isAsync) completeTransactions(s, s.operand(2), isa::sizeOf(type));
}

void selectRed(Selector& s) { selectAtom(s); }

// cp.async.bulk.prefetch names global memory and a number of bytes. A generic address that prefetchu gets does nothing where it is that of
// another space: as an address of the global space it is one without memory. No time depends on where a tensor map is read from.
void selectPrefetch(Selector& s) {
  if (s.in().modifiers.tensorMap) return;
  const bool isGlobal = s.in().modifiers.bulk || s.in().opcode == ptx::Opcode::prefetchu;
  const Address address = s.addressOperand(s.operand(0), isGlobal ? isa::Space::global : s.spaceOf(s.in().modifiers.space));
  const Operand bytes = s.in().modifiers.bulk ? s.use(s.operand(1), DataType::u32) : Operand{};
  MachineInstruction& prefetch = s.emit(isa::Opcode::prefetch, DataType::u32, {}, {Operand{}, bytes});
  if (s.in().modifiers.secondLevel) prefetch.modifiers.cache = isa::CacheOp::cg;
  s.setAddress(prefetch, address);
}

// membar.cta/gl/sys is the sequentially consistent fence of that scope.
void selectFence(Selector& s) {
  MachineInstruction& fence = s.emit(isa::Opcode::fence, DataType::u32);
  s.setMemoryModifiers(fence.modifiers);
  fence.modifiers.asyncProxy = s.in().modifiers.isAsync && !s.in().modifiers.ofGlobal;
  if (s.in().opcode == ptx::Opcode::membar || fence.modifiers.ordering == isa::Ordering::weak) fence.modifiers.ordering = isa::Ordering::sc;
}

// Windows lie at fixed generic addresses, so a conversion is an addition; global addresses are generic ones.
void selectCvta(Selector& s) {
  const DataType type = dataType(s.in().modifiers.type) == DataType::u32 ? DataType::u32 : DataType::u64;
  const ptx::Operand& from = s.operand(1);
  if (from.kind == Kind::symbol) {
    const Operand address = s.addressOf(from, !s.in().modifiers.toSpace, type);
    s.emit(isa::Opcode::mov, type, {s.define(s.operand(0), type)}, {address});
    return;
  }
  const Operand value = s.use(from, type);
  const Operand to = s.define(s.operand(0), type);
  u64 window = 0;
  switch (s.in().modifiers.space) {
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
      window = s.source().isKernel ? isa::kParamWindow : isa::kLocalWindow;
      break;
    default:
      break;
  }
  if (window == 0) {
    s.emit(isa::Opcode::mov, type, {to}, {value});
    return;
  }
  const u64 addend = s.in().modifiers.toSpace ? ~window + 1 : window;
  s.emit(isa::Opcode::add, type, {to}, {value, Operand::makeImmediate(type == DataType::u32 ? static_cast<u32>(addend) : addend)});
}

void selectIsspacep(Selector& s) {
  const ptx::Operand& from = s.operand(1);
  const bool narrow = s.code().addressBits == 32 || (from.kind == Kind::reg && s.registerWordsOf(from.reg) == 1);
  const DataType type = narrow ? DataType::u32 : DataType::u64;
  const Operand value = from.kind == Kind::symbol ? s.addressOf(from, true, type) : s.use(from, type);
  MachineInstruction& test = s.emit(isa::Opcode::isspacep, type, {s.definePredicate(s.operand(0))}, {value});
  test.modifiers.space = s.spaceOf(s.in().modifiers.space);
  test.modifiers.ofCluster = s.in().modifiers.ofCluster;
}

}  // namespace warpwright::compiler
