// Asynchronous copies and mbarrier objects.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::MbarrierOp;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

constexpr u32 kCountMask = 0xf'ffff;  // of the pending arrivals in a state: see exec/mbarrier.hpp

MbarrierOp operationOf(ptx::MbarrierOp operation) {
  switch (operation) {
    case ptx::MbarrierOp::inval:
      return MbarrierOp::inval;
    case ptx::MbarrierOp::arrive:
      return MbarrierOp::arrive;
    case ptx::MbarrierOp::arriveDrop:
      return MbarrierOp::arriveDrop;
    case ptx::MbarrierOp::expectTx:
      return MbarrierOp::expectTx;
    case ptx::MbarrierOp::completeTx:
      return MbarrierOp::completeTx;
    case ptx::MbarrierOp::testWait:
      return MbarrierOp::testWait;
    case ptx::MbarrierOp::tryWait:
      return MbarrierOp::tryWait;
    default:
      return MbarrierOp::init;
  }
}

// cp.async: [shared], [global], size{, bytes read or "ignore" predicate}{, cache policy}
void selectCopyAsync(Selector& s) {
  const u64 bytes = s.operand(2).bits;
  const bool bypass = s.in().modifiers.cache == ptx::CacheOp::cg;
  if (bytes != 16 && (bypass || (bytes != 4 && bytes != 8)))
    s.unsupported("it copies 4, 8 or 16 bytes, and with .cg 16", "give one of these sizes");
  const Address to = s.addressOperand(s.operand(0), isa::Space::shared);
  const Operand from = addressInRegister(s, s.operand(1), isa::Space::global);
  const std::size_t values = s.in().operands.size() - (s.in().modifiers.cacheHint ? 1 : 0);
  Operand read;
  if (values > 3 && s.operand(3).kind == Kind::reg && s.isPredicate(s.operand(3).reg)) {
    read = s.temporary(DataType::u32);
    s.compute(isa::Opcode::selp, DataType::u32, {read},
              {Operand::makeImmediate(0), Operand::makeImmediate(bytes), s.usePredicate(s.operand(3))});
  } else if (values > 3) {
    read = s.use(s.operand(3), DataType::u32);
  }
  MachineInstruction& copy = s.emit(isa::Opcode::cp_async, DataType::u32, {}, {Operand{}, from, read});
  copy.vector = static_cast<u8>(bytes / 4);
  s.setMemoryModifiers(copy.modifiers);
  s.setAddress(copy, to);
}

MachineInstruction& emitMbarrier(Selector& s, MbarrierOp operation, const Address& address, Operand stateTo, Operand done, Operand state,
                                 Operand count) {
  MachineInstruction& result = s.emit(isa::Opcode::mbarrier, DataType::u64, {stateTo, done}, {Operand{}, state, count});
  result.modifiers.mbarrier = operation;
  s.setAddress(result, address);
  return result;
}

}  // namespace

void selectCp(Selector& s) {
  if (s.in().modifiers.bulk) return selectBulk(s);
  switch (s.in().modifiers.async) {
    case ptx::AsyncOp::copy:
      return selectCopyAsync(s);
    case ptx::AsyncOp::commit:
      s.emit(isa::Opcode::cp_commit, DataType::u32);
      return;
    case ptx::AsyncOp::waitGroup:
      s.emit(isa::Opcode::cp_wait, DataType::u32, {}, {Operand::makeImmediate(s.operand(0).bits)});
      return;
    case ptx::AsyncOp::waitAll:
      s.emit(isa::Opcode::cp_wait, DataType::u32);
      return;
    case ptx::AsyncOp::mbarrierArrive: {
      const Address address = s.addressOperand(s.operand(0), s.spaceOf(s.in().modifiers.space));
      MachineInstruction& arrive = emitMbarrier(s, MbarrierOp::asyncArrive, address, {}, {}, {}, {});
      arrive.modifiers.increments = !s.in().modifiers.noIncrement;
      return;
    }
    case ptx::AsyncOp::fence:
    case ptx::AsyncOp::multiply:
      return;  // of wgmma alone
  }
}

void completeTransactions(Selector& s, const ptx::Operand& object, u32 bytes) {
  const Address address = s.addressOperand(object, s.spaceOf(s.in().modifiers.space));
  emitMbarrier(s, MbarrierOp::completeTx, address, {}, {}, {}, Operand::makeImmediate(bytes));
}

void selectMbarrier(Selector& s) {
  using P = ptx::MbarrierOp;
  const P form = s.in().modifiers.mbarrier;
  if (form == P::pendingCount) {
    const Operand state = s.useInRegister(s.operand(1), DataType::u64);
    s.emit(isa::Opcode::and_, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {state, Operand::makeImmediate(kCountMask)});
    return;
  }
  const bool arrives = form == P::arrive || form == P::arriveDrop, waits = form == P::testWait || form == P::tryWait;
  const u32 index = arrives || waits ? 1 : 0;
  const Address address = s.addressOperand(s.operand(index), s.spaceOf(s.in().modifiers.space));
  Operand stateTo, done, state, count;
  if (arrives && s.operand(0).kind != Kind::discard) stateTo = s.define(s.operand(0), DataType::u64);
  if (waits) done = s.definePredicate(s.operand(0));
  if (waits && !s.in().modifiers.parity) state = s.useInRegister(s.operand(2), DataType::u64);
  if ((waits && s.in().modifiers.parity) || (!waits && s.hasOperand(index + 1))) count = s.use(s.operand(index + 1), DataType::u32);
  if (arrives && !s.hasOperand(2)) count = Operand::makeImmediate(1);
  MachineInstruction& result = emitMbarrier(s, operationOf(form), address, stateTo, done, state, count);
  result.modifiers.parity = s.in().modifiers.parity;
  result.modifiers.expectsTx = s.in().modifiers.expectTx;
}

}  // namespace warpwright::compiler
