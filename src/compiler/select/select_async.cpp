// Asynchronous copies and mbarrier objects.
#include "compiler/select/selector.hpp"

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

}  // namespace

// cp.async: [shared], [global], size{, bytes read or "ignore" predicate}{, cache policy}
void Selector::selectCopyAsync() {
  const u64 bytes = operand(2).bits;
  const bool bypass = in_->modifiers.cache == ptx::CacheOp::cg;
  if (bytes != 16 && (bypass || (bytes != 4 && bytes != 8)))
    unsupported("it copies 4, 8 or 16 bytes, and with .cg 16", "give one of these sizes");
  const Address to = addressOperand(operand(0), isa::Space::shared);
  const Operand from = addressInRegister(operand(1));
  const std::size_t values = in_->operands.size() - (in_->modifiers.cacheHint ? 1 : 0);
  Operand read;
  if (values > 3 && operand(3).kind == Kind::reg && isPredicate(operand(3).reg)) {
    read = temporary(DataType::u32);
    compute(isa::Opcode::selp, DataType::u32, {read}, {Operand::makeImmediate(0), Operand::makeImmediate(bytes), usePredicate(operand(3))});
  } else if (values > 3) {
    read = use(operand(3), DataType::u32);
  }
  MachineInstruction& copy = emit(isa::Opcode::cp_async, DataType::u32, {}, {Operand{}, from, read});
  copy.vector = static_cast<u8>(bytes / 4);
  setMemoryModifiers(copy.modifiers);
  setAddress(copy, to);
}

// An address of the global space as one operand.
Operand Selector::addressInRegister(const ptx::Operand& source) {
  if (source.symbol.kind != ptx::SymbolKind::none) return addressOf(source, false);
  const Address address = wideAddressOperand(source, isa::Space::global);
  const DataType type = code_.addressType();
  const Operand displacement =
      Operand::makeImmediate(code_.addressBits == 64 ? static_cast<u64>(address.offset) : static_cast<u32>(address.offset));
  if (address.offset == 0 && isRegister(address.base)) return address.base;
  const Operand sum = temporary(type);
  if (isRegister(address.base))
    compute(isa::Opcode::add, type, {sum}, {address.base, displacement});
  else
    compute(isa::Opcode::mov, type, {sum}, {displacement});
  return sum;
}

void Selector::selectCp() {
  if (in_->modifiers.bulk) return selectPrefetch();
  switch (in_->modifiers.async) {
    case ptx::AsyncOp::copy:
      return selectCopyAsync();
    case ptx::AsyncOp::commit:
      emit(isa::Opcode::cp_commit, DataType::u32);
      return;
    case ptx::AsyncOp::waitGroup:
      emit(isa::Opcode::cp_wait, DataType::u32, {}, {Operand::makeImmediate(operand(0).bits)});
      return;
    case ptx::AsyncOp::waitAll:
      emit(isa::Opcode::cp_wait, DataType::u32);
      return;
    case ptx::AsyncOp::mbarrierArrive: {
      const Address address = addressOperand(operand(0), spaceOf(in_->modifiers.space));
      MachineInstruction& arrive = emitMbarrier(MbarrierOp::asyncArrive, address, {}, {}, {}, {});
      arrive.modifiers.increments = !in_->modifiers.noIncrement;
      return;
    }
  }
}

MachineInstruction& Selector::emitMbarrier(MbarrierOp operation, const Address& address, Operand stateTo, Operand done, Operand state,
                                           Operand count) {
  MachineInstruction& result = emit(isa::Opcode::mbarrier, DataType::u64, {stateTo, done}, {Operand{}, state, count});
  result.modifiers.mbarrier = operation;
  setAddress(result, address);
  return result;
}

void Selector::selectMbarrier() {
  using P = ptx::MbarrierOp;
  const P form = in_->modifiers.mbarrier;
  if (form == P::pendingCount) {
    const Operand state = useInRegister(operand(1), DataType::u64);
    emit(isa::Opcode::and_, DataType::u32, {define(operand(0), DataType::u32)}, {state, Operand::makeImmediate(kCountMask)});
    return;
  }
  const bool arrives = form == P::arrive || form == P::arriveDrop, waits = form == P::testWait || form == P::tryWait;
  const u32 place = arrives || waits ? 1 : 0;
  const Address address = addressOperand(operand(place), spaceOf(in_->modifiers.space));
  Operand stateTo, done, state, count;
  if (arrives && operand(0).kind != Kind::discard) stateTo = define(operand(0), DataType::u64);
  if (waits) done = definePredicate(operand(0));
  if (waits && !in_->modifiers.parity) state = useInRegister(operand(2), DataType::u64);
  if ((waits && in_->modifiers.parity) || (!waits && hasOperand(place + 1))) count = use(operand(place + 1), DataType::u32);
  if (arrives && !hasOperand(2)) count = Operand::makeImmediate(1);
  MachineInstruction& result = emitMbarrier(operationOf(form), address, stateTo, done, state, count);
  result.modifiers.parity = in_->modifiers.parity;
  result.modifiers.expectsTx = in_->modifiers.expectTx;
}

}  // namespace warpwright::compiler
