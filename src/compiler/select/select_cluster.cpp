// Clusters of blocks, and cache policies.
#include <bit>

#include "compiler/select/handlers.hpp"
#include "isa/address_space.hpp"
#include "ptx/special_register.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

// A policy is a value that nothing reads.
void selectCreatePolicy(Selector& s) {
  s.emit(isa::Opcode::mov, DataType::u64, {s.define(s.operand(0), DataType::u64)}, {Operand::makeImmediate(0)});
}

// The address that one in shared memory has in the block with the given rank.
void selectMapa(Selector& s) {
  const DataType type = dataType(s.in().modifiers.type);
  const ptx::Operand& from = s.operand(1);
  const bool generic = s.in().modifiers.space == ptx::Space::generic;
  const Operand address = from.kind == Kind::symbol ? s.addressOf(from, generic, type) : s.use(from, type);
  s.emit(isa::Opcode::mapa, type, {s.define(s.operand(0), type)}, {address, s.use(s.operand(2), DataType::u32)});
}

// An address says how many strides it lies behind the own shared memory: none, or one more than the rank (isa/address_space.hpp).
void selectGetCtaRank(Selector& s) {
  constexpr u32 kStrideBits = std::countr_zero(isa::kClusterStride), kNumberBits = std::countr_zero(isa::kWindowBytes) - kStrideBits;
  const DataType type = dataType(s.in().modifiers.type);
  const ptx::Operand& from = s.operand(1);
  const bool generic = s.in().modifiers.space == ptx::Space::generic;
  const Operand address = from.kind == Kind::symbol ? s.addressOf(from, generic, type) : s.useInRegister(from, type);
  const Operand number = s.temporary(DataType::u32), rank = s.temporary(DataType::u32);
  s.compute(isa::Opcode::bfe, DataType::u32, {number},
            {Operand::makeRegister(address.index), Operand::makeImmediate(kStrideBits), Operand::makeImmediate(kNumberBits)});
  s.compute(isa::Opcode::sub, DataType::u32, {rank}, {number, Operand::makeImmediate(1)});
  const Operand isOwn = Operand::makePredicate(s.code().newPredicate());
  s.compute(isa::Opcode::setp, DataType::u32, {isOwn}, {number, Operand::makeImmediate(0)}).modifiers.compare = isa::Compare::eq;
  const Operand own = s.readSpecial(ptx::SpecialRegister::cluster_ctarank, DataType::u32);
  s.emit(isa::Opcode::selp, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {own, rank, isOwn});
}

// An arrival that releases waits for what its threads have stored.
void selectClusterBarrier(Selector& s) {
  const bool waits = s.in().modifiers.barrier == ptx::BarrierOp::wait, isRelaxed = s.in().modifiers.ordering == ptx::Ordering::relaxed;
  if (!waits && !isRelaxed) {
    MachineInstruction& fence = s.emit(isa::Opcode::fence, DataType::u32);
    fence.modifiers.ordering = isa::Ordering::release;
    fence.modifiers.scope = isa::Scope::gpu;
  }
  MachineInstruction& barrier = s.emit(waits ? isa::Opcode::cluster_wait : isa::Opcode::cluster_arrive, DataType::u32);
  barrier.modifiers.aligned = s.in().modifiers.aligned;
  if (isRelaxed) barrier.modifiers.ordering = isa::Ordering::relaxed;
}

}  // namespace warpwright::compiler
