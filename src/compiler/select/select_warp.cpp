// Warp-wide operations and block-wide barriers.
#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

// shfl{.sync}.mode.b32 d|p, a, b, c{, membermask}
void selectShfl(Selector& s) {
  const Operand value = s.use(s.operand(1), DataType::u32), lane = s.use(s.operand(2), DataType::u32),
                clamp = s.use(s.operand(3), DataType::u32);
  const Operand members = s.hasOperand(4) ? s.use(s.operand(4), DataType::u32) : Operand{};
  const Operand to = s.define(s.operand(0), DataType::u32);
  const Operand valid = s.in().secondDestination.kind == Kind::none ? Operand{} : s.definePredicate(s.in().secondDestination);
  MachineInstruction& shuffle = s.emit(isa::Opcode::shfl, DataType::u32, {to, valid}, {value, lane, clamp, members});
  switch (s.in().modifiers.shuffle) {
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
  shuffle.modifiers.synchronised = s.in().modifiers.sync;
}

// vote{.sync}.mode d, {!}p{, membermask}
void selectVote(Selector& s) {
  const bool ballot = s.in().modifiers.vote == ptx::VoteMode::ballot;
  const DataType type = ballot ? DataType::u32 : DataType::pred;
  const Operand predicate = s.usePredicate(s.operand(1));
  const Operand members = s.hasOperand(2) ? s.use(s.operand(2), DataType::u32) : Operand{};
  MachineInstruction& vote = s.emit(isa::Opcode::vote, type, {s.define(s.operand(0), type)}, {predicate, members});
  switch (s.in().modifiers.vote) {
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
  vote.modifiers.synchronised = s.in().modifiers.sync;
}

void selectMatch(Selector& s) {
  const DataType type = s.typeFor(isa::Opcode::match, s.in().modifiers.type);
  const Operand value = s.use(s.operand(1), type);
  const Operand members = s.hasOperand(2) ? s.use(s.operand(2), DataType::u32) : Operand{};
  const Operand to = s.define(s.operand(0), DataType::u32);
  const Operand all = s.in().secondDestination.kind == Kind::none ? Operand{} : s.definePredicate(s.in().secondDestination);
  MachineInstruction& match = s.emit(isa::Opcode::match, type, {to, all}, {value, members});
  match.modifiers.matchAll = !s.in().modifiers.anyMatch;
  match.modifiers.synchronised = s.in().modifiers.sync;
}

void selectRedux(Selector& s) {
  const DataType type = s.typeFor(isa::Opcode::redux, s.in().modifiers.type);
  const Operand value = s.use(s.operand(1), type);
  const Operand members = s.hasOperand(2) ? s.use(s.operand(2), DataType::u32) : Operand{};
  MachineInstruction& redux = s.emit(isa::Opcode::redux, type, {s.define(s.operand(0), type)}, {value, members});
  redux.modifiers.atomic = machineTerm(s.in().modifiers.atomic);
  redux.modifiers.synchronised = true;
}

void selectActivemask(Selector& s) { s.emit(isa::Opcode::activemask, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {}); }

// elect.sync d|p, membermask
void selectElect(Selector& s) {
  const Operand members = s.hasOperand(1) ? s.use(s.operand(1), DataType::u32) : Operand{};
  const Operand leader = s.operand(0).kind == Kind::discard ? Operand{} : s.define(s.operand(0), DataType::u32);
  const bool wanted = s.in().secondDestination.kind != Kind::none;
  const Operand elected = wanted ? s.definePredicate(s.in().secondDestination) : Operand::makePredicate(s.code().newPredicate());
  s.emit(isa::Opcode::elect, DataType::u32, {leader, elected}, {members}).modifiers.synchronised = true;
}

// bar and barrier: sync a{, b}; arrive a, b; red.op d, a{, b}, {!}c; bar.warp.sync membermask.
void selectBar(Selector& s) {
  if (s.in().modifiers.cluster) return selectClusterBarrier(s);
  const bool aligned = s.in().opcode == ptx::Opcode::bar || s.in().modifiers.aligned;
  const auto number = [&](u32 index) { return s.hasOperand(index) ? s.use(s.operand(index), DataType::u32) : Operand{}; };
  switch (s.in().modifiers.barrier) {
    case ptx::BarrierOp::warp_sync:
      s.emit(isa::Opcode::warpsync, DataType::u32, {}, {number(0)});
      return;
    case ptx::BarrierOp::arrive: {
      const Operand id = number(0), threads = number(1);
      s.emit(isa::Opcode::bar_arrive, DataType::u32, {}, {id, threads}).modifiers.aligned = aligned;
      return;
    }
    case ptx::BarrierOp::red: {
      const DataType type = s.in().modifiers.combine == ptx::BoolOp::none ? DataType::u32 : DataType::pred;
      const u32 last = static_cast<u32>(s.in().operands.size()) - 1;
      const Operand predicate = s.usePredicate(s.operand(last));
      const Operand id = number(1), threads = last > 2 ? number(2) : Operand{};
      MachineInstruction& barrier = s.emit(isa::Opcode::bar_red, type, {s.define(s.operand(0), type)}, {id, threads, predicate});
      barrier.modifiers.combine = machineTerm(s.in().modifiers.combine);
      barrier.modifiers.aligned = aligned;
      return;
    }
    default: {
      const Operand id = s.hasOperand(0) ? number(0) : Operand::makeImmediate(0);
      const Operand threads = number(1);
      s.emit(isa::Opcode::bar_sync, DataType::u32, {}, {id, threads}).modifiers.aligned = aligned;
    }
  }
}

}  // namespace warpwright::compiler
