// Warp-wide operations and block-wide barriers.
#include "compiler/select/machine_terms.hpp"
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

// shfl{.sync}.mode.b32 d|p, a, b, c{, membermask}
void Selector::selectShfl() {
  const Operand value = use(operand(1), DataType::u32), lane = use(operand(2), DataType::u32), clamp = use(operand(3), DataType::u32);
  const Operand members = hasOperand(4) ? use(operand(4), DataType::u32) : Operand{};
  const Operand to = define(operand(0), DataType::u32);
  const Operand valid = in_->secondDestination.kind == Kind::none ? Operand{} : definePredicate(in_->secondDestination);
  MachineInstruction& shuffle = emit(isa::Opcode::shfl, DataType::u32, {to, valid}, {value, lane, clamp, members});
  switch (in_->modifiers.shuffle) {
    case ptx::ShuffleMode::up:
      shuffle.modifiers.shuffle = isa::ShuffleMode::up;
      break;
    case ptx::ShuffleMode::down:
      shuffle.modifiers.shuffle = isa::ShuffleMode::down;
      break;
    case ptx::ShuffleMode::bfly:
      shuffle.modifiers.shuffle = isa::ShuffleMode::bfly;
      break;
    default:
      shuffle.modifiers.shuffle = isa::ShuffleMode::idx;
      break;
  }
  shuffle.modifiers.synchronised = in_->modifiers.sync;
}

// vote{.sync}.mode d, {!}p{, membermask}
void Selector::selectVote() {
  const bool ballot = in_->modifiers.vote == ptx::VoteMode::ballot;
  const DataType type = ballot ? DataType::u32 : DataType::pred;
  const Operand predicate = usePredicate(operand(1));
  const Operand members = hasOperand(2) ? use(operand(2), DataType::u32) : Operand{};
  MachineInstruction& vote = emit(isa::Opcode::vote, type, {define(operand(0), type)}, {predicate, members});
  switch (in_->modifiers.vote) {
    case ptx::VoteMode::any:
      vote.modifiers.vote = isa::VoteMode::any;
      break;
    case ptx::VoteMode::uni:
      vote.modifiers.vote = isa::VoteMode::uni;
      break;
    case ptx::VoteMode::ballot:
      vote.modifiers.vote = isa::VoteMode::ballot;
      break;
    default:
      vote.modifiers.vote = isa::VoteMode::all;
      break;
  }
  vote.modifiers.synchronised = in_->modifiers.sync;
}

void Selector::selectMatch() {
  const DataType type = typeFor(isa::Opcode::match, in_->modifiers.type);
  const Operand value = use(operand(1), type);
  const Operand members = hasOperand(2) ? use(operand(2), DataType::u32) : Operand{};
  const Operand to = define(operand(0), DataType::u32);
  const Operand all = in_->secondDestination.kind == Kind::none ? Operand{} : definePredicate(in_->secondDestination);
  MachineInstruction& match = emit(isa::Opcode::match, type, {to, all}, {value, members});
  match.modifiers.matchAll = !in_->modifiers.anyMatch;
  match.modifiers.synchronised = in_->modifiers.sync;
}

void Selector::selectRedux() {
  const DataType type = typeFor(isa::Opcode::redux, in_->modifiers.type);
  const Operand value = use(operand(1), type);
  const Operand members = hasOperand(2) ? use(operand(2), DataType::u32) : Operand{};
  MachineInstruction& redux = emit(isa::Opcode::redux, type, {define(operand(0), type)}, {value, members});
  redux.modifiers.atomic = machineTerm(in_->modifiers.atomic);
  redux.modifiers.synchronised = true;
}

void Selector::selectActivemask() { emit(isa::Opcode::activemask, DataType::u32, {define(operand(0), DataType::u32)}, {}); }

// elect.sync d|p, membermask
void Selector::selectElect() {
  const Operand members = hasOperand(1) ? use(operand(1), DataType::u32) : Operand{};
  const Operand leader = operand(0).kind == Kind::discard ? Operand{} : define(operand(0), DataType::u32);
  const bool wanted = in_->secondDestination.kind != Kind::none;
  const Operand elected = wanted ? definePredicate(in_->secondDestination) : Operand::makePredicate(code_.newPredicate());
  emit(isa::Opcode::elect, DataType::u32, {leader, elected}, {members}).modifiers.synchronised = true;
}

// bar and barrier: sync a{, b}; arrive a, b; red.op d, a{, b}, {!}c; bar.warp.sync membermask.
void Selector::selectBar() {
  if (in_->modifiers.cluster) return selectClusterBarrier();
  const bool aligned = in_->opcode == ptx::Opcode::bar || in_->modifiers.aligned;
  const auto number = [&](u32 index) { return hasOperand(index) ? use(operand(index), DataType::u32) : Operand{}; };
  switch (in_->modifiers.barrier) {
    case ptx::BarrierOp::warp_sync:
      emit(isa::Opcode::warpsync, DataType::u32, {}, {number(0)});
      return;
    case ptx::BarrierOp::arrive: {
      const Operand id = number(0), threads = number(1);
      emit(isa::Opcode::bar_arrive, DataType::u32, {}, {id, threads}).modifiers.aligned = aligned;
      return;
    }
    case ptx::BarrierOp::red: {
      const DataType type = in_->modifiers.combine == ptx::BoolOp::none ? DataType::u32 : DataType::pred;
      const u32 last = static_cast<u32>(in_->operands.size()) - 1;
      const Operand predicate = usePredicate(operand(last));
      const Operand id = number(1), threads = last > 2 ? number(2) : Operand{};
      MachineInstruction& barrier = emit(isa::Opcode::bar_red, type, {define(operand(0), type)}, {id, threads, predicate});
      barrier.modifiers.combine = machineTerm(in_->modifiers.combine);
      barrier.modifiers.aligned = aligned;
      return;
    }
    default: {
      const Operand id = hasOperand(0) ? number(0) : Operand::makeImmediate(0);
      const Operand threads = number(1);
      emit(isa::Opcode::bar_sync, DataType::u32, {}, {id, threads}).modifiers.aligned = aligned;
    }
  }
}

}  // namespace warpwright::compiler
