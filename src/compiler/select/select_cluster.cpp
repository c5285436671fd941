// Clusters of one block, dependent grids, cache policies: what has no effect, or a known one, on a machine without them.
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

// A policy is a value that nothing reads.
void Selector::selectCreatePolicy() {
  emit(isa::Opcode::mov, DataType::u64, {define(operand(0), DataType::u64)}, {Operand::makeImmediate(0)});
}

// The address that a shared::cluster address has in the block with the given rank: there is only the block itself.
void Selector::selectMapa() {
  const DataType type = dataType(in_->modifiers.type);
  const ptx::Operand& from = operand(1);
  const bool generic = in_->modifiers.space == ptx::Space::generic;
  const Operand address = from.kind == Kind::symbol ? addressOf(from, generic, type) : use(from, type);
  emit(isa::Opcode::mov, type, {define(operand(0), type)}, {address});
}

void Selector::selectGetCtaRank() {
  emit(isa::Opcode::mov, DataType::u32, {define(operand(0), DataType::u32)}, {Operand::makeImmediate(0)});
}

// A cluster of one block: the wait is a barrier of the block, apart from the numbered ones; the arrival before it has nothing to do.
void Selector::selectClusterBarrier() {
  if (in_->modifiers.barrier != ptx::BarrierOp::wait) return;
  MachineInstruction& barrier = emit(isa::Opcode::bar_sync, DataType::u32, {}, {Operand::makeImmediate(0), Operand{}});
  barrier.modifiers.aligned = in_->modifiers.aligned;
  barrier.modifiers.scope = isa::Scope::gpu;
}

}  // namespace warpwright::compiler
