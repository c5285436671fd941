// Clusters of one block, dependent grids, cache policies: what has no effect, or a known one, on a machine without them.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

// A policy is a value that nothing reads.
void selectCreatePolicy(Selector& s) {
  s.emit(isa::Opcode::mov, DataType::u64, {s.define(s.operand(0), DataType::u64)}, {Operand::makeImmediate(0)});
}

// The address that a shared::cluster address has in the block with the given rank: there is only the block itself.
void selectMapa(Selector& s) {
  const DataType type = dataType(s.in().modifiers.type);
  const ptx::Operand& from = s.operand(1);
  const bool generic = s.in().modifiers.space == ptx::Space::generic;
  const Operand address = from.kind == Kind::symbol ? s.addressOf(from, generic, type) : s.use(from, type);
  s.emit(isa::Opcode::mov, type, {s.define(s.operand(0), type)}, {address});
}

void selectGetCtaRank(Selector& s) {
  s.emit(isa::Opcode::mov, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {Operand::makeImmediate(0)});
}

// A cluster of one block: the wait is a barrier of the block, apart from the numbered ones; the arrival before it has nothing to do.
void selectClusterBarrier(Selector& s) {
  if (s.in().modifiers.barrier != ptx::BarrierOp::wait) return;
  MachineInstruction& barrier = s.emit(isa::Opcode::bar_sync, DataType::u32, {}, {Operand::makeImmediate(0), Operand{}});
  barrier.modifiers.aligned = s.in().modifiers.aligned;
  barrier.modifiers.scope = isa::Scope::gpu;
}

}  // namespace warpwright::compiler
