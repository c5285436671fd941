// The dispatch loop: one dispatch per warp instruction.
#include <bit>

#include "exec/machine.hpp"

namespace warpwright::exec {
namespace {

constexpr s64 kTurn = 4096;            // warp instructions before the next warp of the block gets a turn
constexpr u32 kPollsBeforeYield = 16;  // polls without news after which a path is taken to be waiting for another

}  // namespace

// Takes back the count of an instruction that has to wait; it is issued again.
void Machine::unissue(const Issue& issue) {
  InstructionCount& count = result_.counts[issue.pc];
  --count.warps;
  count.lanes -= static_cast<u64>(std::popcount(issue.executing));
  count.active -= static_cast<u64>(std::popcount(issue.active));
}

template <bool kObserved>
void Machine::runWarp(Block& block, Warp& warp) {
  for (Path& path : warp.tree.paths()) path.polling = false;
  s64 budget = kTurn;
  while (budget > 0) {
    Path* path = independent() ? warp.tree.selectBusy() : warp.tree.select();
    if (!path || path->polling) break;
    const s64 before = budget;
    budget = runPath<kObserved>(block, warp, *path, budget);
    instructions_ += static_cast<u64>(before - budget);
  }
  if (!independent()) return;
  if (warp.tree.paths().size() < 2) return;
  if (Path* path = warp.tree.select()) warp.tree.yield(*path);
}

template void Machine::runWarp<false>(Block&, Warp&);
template void Machine::runWarp<true>(Block&, Warp&);

// Runs a path until it ends, waits, forks or polls in vain, or the budget is spent; gives what is left of it.
template <bool kObserved>
s64 Machine::runPath(Block& block, Warp& warp, Path& path, s64 budget) {
  Op* const ops = kernel_.ops();
  const u32 first = kernel_.first();
  InstructionCount* const counts = result_.counts.data();
  const LaneState state = warp.state;
  const LaneMask* const predicates = warp.predicates.data();
  const LaneMask active = path.mask;
  const u64 activeLanes = static_cast<u64>(std::popcount(active));
  const s64 given = budget;
  u32 meeting = warp.tree.meetingPoint(path);
  u32 pc = path.pc;
  pollRepeats_ = 0;

  for (;;) {
    if (pc == meeting) {
      path.pc = pc;
      warp.tree.arrive(path);
      return budget;
    }
    if (budget <= 0) {
      path.pc = pc;
      return budget;
    }
    --budget;
    Op& op = ops[pc - first];
    const LaneMask executing = active & (predicates[op.guardIndex] ^ op.guardFlip);
    InstructionCount& count = counts[pc];
    ++count.warps;
    count.active += activeLanes;
    count.lanes += executing == active ? activeLanes : static_cast<u64>(std::popcount(executing));
    if constexpr (kObserved) {
      if (op.instruction) request_.observer->issue({{block.index, warp.index}, pc, op.instruction, active, executing});
    }

    if (op.handler == Handler::lane) [[likely]] {
      if (executing) op.function(op, state, executing);
      ++pc;
      continue;
    }
    const Issue issue{block, warp, path, op, pc, active, executing, instructions_ + static_cast<u64>(given - budget)};
    switch (op.handler) {
      case Handler::load:
      case Handler::store:
      case Handler::atomic:
        path.pc = pc;
        if (executing) access(issue);
        ++pc;
        if (!op.polls || pollRepeats_ < kPollsBeforeYield) continue;
        path.pc = pc;
        path.polling = true;
        if (eagerPoints_) warp.tree.releaseWaiting([&](u32 point) { return kernel_.at(point).eager; });
        return budget;
      case Handler::branch:
        if constexpr (kObserved) {
          const u32 targets = executing != 0 && executing != active ? 2 : 1;
          request_.observer->branch({{block.index, warp.index}, pc, op.instruction, active, executing, targets});
        }
        if (executing == active) {
          pc = op.target;
          continue;
        }
        if (executing == 0) {
          ++pc;
          continue;
        }
        path.pc = pc;
        branch(issue);
        return budget;
      case Handler::nothing:
        ++pc;
        continue;
      case Handler::specialRegister:
        if (executing) specialRegister(issue);
        ++pc;
        continue;
      case Handler::activeMask:
        if (executing) activeMask(issue);
        ++pc;
        continue;
      case Handler::shuffle:
      case Handler::vote:
      case Handler::match:
      case Handler::reduce:
      case Handler::elect:
      case Handler::warpSync:
        path.pc = pc;
        if (executing && !warpOperation(issue)) return budget;
        ++pc;
        continue;
      case Handler::barrierArrive:
        ++pc;
        if (executing == 0) continue;
        path.pc = pc;
        barrierArrive(issue);
        return budget;
      case Handler::barrierSync:
      case Handler::barrierReduce:
        path.pc = pc;
        if (executing == 0) {
          ++pc;
          continue;
        }
        barrierSync(issue);
        return budget;
      case Handler::systemCall:
        path.pc = pc;
        if (executing) systemCall(issue);
        ++pc;
        continue;
      case Handler::sleep:
        ++pc;
        if (executing == 0) continue;
        path.pc = pc;
        path.polling = true;
        if (eagerPoints_) warp.tree.releaseWaiting([&](u32 point) { return kernel_.at(point).eager; });
        return budget;
      case Handler::branchIndexed:
        path.pc = pc;
        branchIndexed(issue);
        return budget;
      case Handler::call:
        path.pc = pc;
        if (executing) {
          call(issue, op.target);
        } else {
          ++path.pc;
        }
        return budget;
      case Handler::callIndirect:
        path.pc = pc;
        if (executing) {
          callIndirect(issue);
        } else {
          ++path.pc;
        }
        return budget;
      case Handler::ret:
      case Handler::exit:
        path.pc = pc + 1;
        if (executing == 0) {
          ++pc;
          continue;
        }
        if (op.handler == Handler::ret) {
          ret(issue);
        } else {
          exit(issue);
        }
        return budget;
      case Handler::trap:
        if (executing) stop(issue, LaunchStatus::trap);
        ++pc;
        continue;
      case Handler::breakpoint:
        if (executing) stop(issue, LaunchStatus::breakpoint);
        ++pc;
        continue;
      case Handler::undefined:
      case Handler::lane:
        undefinedCode(issue);
    }
  }
}

}  // namespace warpwright::exec
