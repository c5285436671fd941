// Branches and the ends of threads and functions.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

void selectBra(Selector& s) {
  const ptx::Operand& to = s.operand(0);
  if (to.symbol.kind != ptx::SymbolKind::label) s.unsupported("the target must be a label");
  s.emit(isa::Opcode::bra, DataType::u32).target = to.symbol.index;
}

// brx.idx index, table
void selectBrx(Selector& s) {
  const ptx::Operand& table = s.operand(1);
  if (table.symbol.kind != ptx::SymbolKind::branch_targets) s.unsupported("the second operand must be a .branchtargets list");
  const Operand index = s.useInRegister(s.operand(0), DataType::u32);
  s.emit(isa::Opcode::brx, DataType::u32, {}, {index}).target = table.symbol.index;
}

// A kernel that returns ends its thread.
void selectRet(Selector& s) {
  if (!s.source().isKernel) s.storeReturns();
  s.emit(s.source().isKernel ? isa::Opcode::exit : isa::Opcode::ret, DataType::u32);
}

void selectExit(Selector& s) { s.emit(isa::Opcode::exit, DataType::u32); }

void selectSimpleControl(Selector& s) {
  s.emit(s.in().opcode == ptx::Opcode::trap ? isa::Opcode::trap : isa::Opcode::brkpt, DataType::u32);
}

void selectNanosleep(Selector& s) { s.emit(isa::Opcode::nanosleep, DataType::u32, {}, {s.use(s.operand(0), DataType::u32)}); }

// pmevent only informs a performance monitor.
void drop(Selector&) {}

// setmaxnreg: what the count means for the code is known before it is selected (register_bounds.hpp).
void checkRegisterCount(Selector& s) {
  constexpr u64 kFewest = 24, kMost = 256, kStep = 8;
  const u64 count = s.operand(0).bits;
  if (count < kFewest || count > kMost || count % kStep != 0)
    s.unsupported("a thread may have 24 to 256 registers, a multiple of 8", "give such a number");
}

}  // namespace warpwright::compiler
