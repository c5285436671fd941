// Bulk copies, and tensor maps in memory.
#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"
#include "isa/tensor_map.hpp"

namespace warpwright::compiler {

using isa::BulkOp;
using isa::DataType;
using isa::Operand;
using isa::Space;

namespace {

constexpr u32 kMostListWords = 8;
using BulkList = std::array<Operand, kMostListWords>;

bool isTensor(const Selector& s) { return s.in().modifiers.tensor; }

// An offset in shared memory as one word.
Operand sharedWord(Selector& s, const ptx::Operand& source) {
  if (source.symbol.kind != ptx::SymbolKind::none) return s.addressOf(source, false);
  const Address address = s.addressOperand(source, Space::shared);
  const Operand displacement = Operand::makeImmediate(static_cast<u32>(address.offset));
  if (!isRegister(address.base)) return displacement;
  if (address.offset == 0) return address.base;
  const Operand sum = s.temporary(DataType::u32);
  s.compute(isa::Opcode::add, DataType::u32, {sum}, {address.base, displacement});
  return sum;
}

// The words side by side; those that the operation has no use for are zero.
Operand listInRegisters(Selector& s, const BulkList& words, u32 count) {
  const u32 group = s.code().newGroup(count, alignmentOfGroup(count));
  for (u32 i = 0; i < count; ++i) {
    const Operand value = words[i].kind == Operand::Kind::none ? Operand::makeImmediate(0) : words[i];
    s.compute(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(group + i)}, {value});
  }
  return Operand::makeRegister(group);
}

void takeCoordinates(Selector& s, const ptx::Operand& tensor, BulkList& list) {
  for (u32 i = 0; i < tensor.elements.size(); ++i) list[isa::kBulkCoordinates + i] = s.use(tensor.elements[i], DataType::s32);
}

// far: the address in global memory, or of the tensor map.
MachineInstruction& emitBulk(Selector& s, BulkOp operation, const Address& shared, Operand far, const BulkList& words) {
  const u32 dimensions = s.in().modifiers.dimensions, count = isa::bulkListWords(dimensions);
  const Operand list = listInRegisters(s, words, count);
  MachineInstruction& bulk = s.emit(isa::Opcode::bulk, DataType::u32, {}, {Operand{}, far, list});
  bulk.vector = static_cast<u8>(count);
  bulk.modifiers.bulk.operation = operation;
  bulk.modifiers.bulk.dimensions = static_cast<u8>(dimensions);
  bulk.modifiers.bulk.multicast = s.in().modifiers.multicast;
  bulk.modifiers.atomic = machineTerm(s.in().modifiers.atomic);
  if (s.in().modifiers.type != ptx::Type::none) bulk.sourceType = dataType(s.in().modifiers.type);
  s.setAddress(bulk, shared);
  return bulk;
}

Operand farAddress(Selector& s, const ptx::Operand& source) {
  return addressInRegister(s, source, isTensor(s) ? Space::generic : Space::global);
}

// [shared], [global], size, [mbarrier]{, mask}, or [shared], [map, {coordinates}], [mbarrier]{, mask}
void selectBulkLoad(Selector& s) {
  const u32 barrier = isTensor(s) ? 2 : 3;
  BulkList list;
  list[isa::kBulkBarrier] = sharedWord(s, s.operand(barrier));
  if (s.in().modifiers.multicast) list[isa::kBulkMask] = s.use(s.operand(barrier + 1), DataType::u16);
  if (isTensor(s)) {
    takeCoordinates(s, s.operand(1), list);
  } else {
    list[isa::kBulkBytes] = s.use(s.operand(2), DataType::u32);
  }
  const Operand from = farAddress(s, s.operand(1));
  emitBulk(s, BulkOp::load, s.addressOperand(s.operand(0), Space::shared), from, list);
}

// [shared of the cluster], [shared], size, [mbarrier of the cluster]
void selectBulkSend(Selector& s) {
  BulkList list;
  list[isa::kBulkBarrier] = sharedWord(s, s.operand(3));
  list[isa::kBulkBytes] = s.use(s.operand(2), DataType::u32);
  list[isa::kBulkSource] = sharedWord(s, s.operand(1));
  emitBulk(s, BulkOp::send, s.addressOperand(s.operand(0), Space::shared), Operand::makeImmediate(0), list);
}

// [global], [shared], size, or [map, {coordinates}], [shared]
void selectBulkStore(Selector& s) {
  BulkList list;
  if (isTensor(s)) {
    takeCoordinates(s, s.operand(0), list);
  } else {
    list[isa::kBulkBytes] = s.use(s.operand(2), DataType::u32);
  }
  const Operand to = farAddress(s, s.operand(0));
  emitBulk(s, BulkOp::store, s.addressOperand(s.operand(1), Space::shared), to, list);
}

void selectTensorPrefetch(Selector& s) {
  BulkList list;
  takeCoordinates(s, s.operand(0), list);
  const Operand from = farAddress(s, s.operand(0));
  Address none;
  none.space = Space::shared;
  emitBulk(s, BulkOp::prefetch, none, from, list).modifiers.cache = isa::CacheOp::cg;
}

// --- tensor maps in memory: replacing a member is a store to it

struct Member {
  u32 offset = 0;
  DataType type = DataType::u8;
  u32 count = 1;  // of the array that it is
};

Member memberOf(ptx::MapField field) {
  using F = ptx::MapField;
  using Map = isa::TensorMap;
  switch (field) {
    case F::global_address:
      return {offsetof(Map, globalAddress), DataType::u64, 1};
    case F::rank:
      return {offsetof(Map, rank), DataType::u8, 1};
    case F::box_dim:
      return {offsetof(Map, boxDim), DataType::u32, Map::kMostDimensions};
    case F::global_dim:
      return {offsetof(Map, globalDim), DataType::u32, Map::kMostDimensions};
    case F::element_stride:
      return {offsetof(Map, elementStride), DataType::u32, Map::kMostDimensions};
    case F::global_stride:
      return {offsetof(Map, globalStride), DataType::u64, Map::kMostDimensions - 1};
    case F::elemtype:
      return {offsetof(Map, element), DataType::u8, 1};
    case F::interleave_layout:
      return {offsetof(Map, interleave), DataType::u8, 1};
    case F::swizzle_mode:
      return {offsetof(Map, swizzle), DataType::u8, 1};
    case F::swizzle_atomicity:
      return {offsetof(Map, atomicity), DataType::u8, 1};
    case F::fill_mode:
      return {offsetof(Map, fill), DataType::u8, 1};
    case F::none:
      break;
  }
  return {};
}

Address memberAddress(const Address& map, u32 offset) {
  Address address = map;
  address.offset += offset;
  if (address.symbol) address.symbol->addend += offset;
  return address;
}

// Before PTX 8.5 a stride was given in units of 16 bytes.
bool hasStridesInUnits(const Selector& s) {
  const ptx::Module& module = s.module();
  return module.versionMajor < 8 || (module.versionMajor == 8 && module.versionMinor < 5);
}

void replaceMember(Selector& s) {
  const Member member = memberOf(s.in().modifiers.field);
  const bool hasOrdinal = member.count > 1;
  const u64 ordinal = hasOrdinal ? s.operand(1).bits : 0;
  if (ordinal >= member.count) s.unsupported(fmt::format("there is no dimension {} of this field", ordinal), "tensors have 5 dimensions");
  const DataType valueType = member.type == DataType::u64 ? DataType::u64 : DataType::u32;
  Operand value = s.useInRegister(s.operand(hasOrdinal ? 2 : 1), valueType);
  if (s.in().modifiers.field == ptx::MapField::global_stride && hasStridesInUnits(s)) {
    const Operand bytes = s.temporary(DataType::u64);
    s.compute(isa::Opcode::shl, DataType::u64, {bytes}, {value, Operand::makeImmediate(4)});
    value = bytes;
  }
  const Address map = s.addressOperand(s.operand(0), s.spaceOf(s.in().modifiers.space));
  emitStore(s, memberAddress(map, member.offset + static_cast<u32>(ordinal) * isa::sizeOf(member.type)), member.type, 1, value);
}

// Every thread of the warp copies the whole map, and a fence follows.
void copyMap(Selector& s) {
  constexpr u32 kPiece = 16;
  if (s.operand(2).bits != isa::kTensorMapBytes) s.unsupported("a tensor map has 128 bytes", "give 128 as the size");
  const Address to = s.addressOperand(s.operand(0), Space::global), from = s.addressOperand(s.operand(1), Space::shared);
  for (u32 offset = 0; offset < isa::kTensorMapBytes; offset += kPiece) {
    const Operand piece = Operand::makeRegister(s.code().newGroup(4, alignmentOfGroup(4)));
    emitLoad(s, memberAddress(from, offset), DataType::u32, 4, piece);
    emitStore(s, memberAddress(to, offset), DataType::u32, 4, piece);
  }
  selectFence(s);
}

}  // namespace

// What computes with an address needs it as one operand.
Operand addressInRegister(Selector& s, const ptx::Operand& source, Space space) {
  if (source.symbol.kind != ptx::SymbolKind::none) return s.addressOf(source, space == Space::generic);
  const Address address = s.wideAddressOperand(source, space);
  const DataType type = s.code().addressType();
  const Operand displacement =
      Operand::makeImmediate(s.code().addressBits == 64 ? static_cast<u64>(address.offset) : static_cast<u32>(address.offset));
  if (address.offset == 0 && isRegister(address.base)) return address.base;
  const Operand sum = s.temporary(type);
  if (isRegister(address.base))
    s.compute(isa::Opcode::add, type, {sum}, {address.base, displacement});
  else
    s.compute(isa::Opcode::mov, type, {sum}, {displacement});
  return sum;
}

// Cache hints change nothing.
void selectBulk(Selector& s) {
  using A = ptx::AsyncOp;
  const ptx::Modifiers& modifiers = s.in().modifiers;
  if (modifiers.async == A::commit) {
    s.emit(isa::Opcode::bulk_commit, DataType::u32);
    return;
  }
  if (modifiers.async == A::waitGroup) {
    MachineInstruction& wait = s.emit(isa::Opcode::bulk_wait, DataType::u32, {}, {Operand::makeImmediate(s.operand(0).bits)});
    wait.modifiers.bulk.sourceOnly = modifiers.sourceOnly;
    return;
  }
  if (modifiers.prefetches) return modifiers.tensor ? selectTensorPrefetch(s) : selectPrefetch(s);
  if (!modifiers.fromShared || modifiers.multicast) return selectBulkLoad(s);
  return modifiers.space == ptx::Space::global ? selectBulkStore(s) : selectBulkSend(s);
}

void selectTensorMap(Selector& s) { s.in().modifiers.replaces ? replaceMember(s) : copyMap(s); }

}  // namespace warpwright::compiler
