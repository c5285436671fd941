// Branches and the ends of threads and functions.
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

void Selector::selectBra() {
  const ptx::Operand& to = operand(0);
  if (to.symbol.kind != ptx::SymbolKind::label) unsupported("the target must be a label");
  emit(isa::Opcode::bra, DataType::u32).target = to.symbol.index;
}

// brx.idx index, table
void Selector::selectBrx() {
  const ptx::Operand& table = operand(1);
  if (table.symbol.kind != ptx::SymbolKind::branch_targets) unsupported("the second operand must be a .branchtargets list");
  const Operand index = useInRegister(operand(0), DataType::u32);
  emit(isa::Opcode::brx, DataType::u32, {}, {index}).target = table.symbol.index;
}

// A kernel that returns ends its thread.
void Selector::selectRet() {
  if (!source_.isKernel) storeReturns();
  emit(source_.isKernel ? isa::Opcode::exit : isa::Opcode::ret, DataType::u32);
}

void Selector::selectExit() { emit(isa::Opcode::exit, DataType::u32); }

void Selector::selectSimpleControl() { emit(in_->opcode == ptx::Opcode::trap ? isa::Opcode::trap : isa::Opcode::brkpt, DataType::u32); }

void Selector::selectNanosleep() { emit(isa::Opcode::nanosleep, DataType::u32, {}, {use(operand(0), DataType::u32)}); }

// pmevent only informs a performance monitor.
void Selector::drop() {}

}  // namespace warpwright::compiler
