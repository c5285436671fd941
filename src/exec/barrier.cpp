// Block-wide barriers (PTX ISA, "bar, barrier"), open to any subset of warps. With independent threads each thread arrives for itself.
// Before that barriers know warps alone: what some threads of a warp execute, all of it has executed, and none goes on before the barrier
// opens.
#include <fmt/format.h>

#include <bit>

#include "exec/location.hpp"
#include "exec/machine.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {}  // namespace

u32 Machine::barrierNumber(const Issue& issue) {
  if (issue.op.instruction->modifiers.scope != isa::Scope::none) return kClusterBarrier;
  const u32 lane = issue.executing.least();
  const u32 number = source(issue.warp, issue.op.sources[0])[lane];
  if (number < kClusterBarrier) return number;
  fault(site(issue), lane, LaunchStatus::illegalInstruction, fmt::format("barrier {} does not exist", number), "use barriers 0 to 15");
}

// The threads that `issue` brings to the barrier. Counts are in whole warps: exited or missing lanes count with the last of their warp.
u32 Machine::arriving(const Issue& issue, u32 number, bool countsWarps) const {
  const LaneMask live = issue.warp.tree.lanes();
  if (!independent()) return countsWarps ? request_.limits.warpSize : live.size();
  const LaneMask before = issue.executing == live ? LaneMask{} : issue.warp.tree.atBarrier(number);
  const bool completesWarp = (before | issue.executing) == live;
  if (countsWarps && completesWarp) return request_.limits.warpSize - before.size();
  return issue.executing.size();
}

void Machine::arriveAtBarrier(const Issue& issue, u32 number, bool needsCount) {
  Barrier& barrier = issue.block.barriers[number];
  const LaneOperand& countOperand = issue.op.sources[1];
  if (countOperand.present) {
    const u32 lane = issue.executing.least();
    const u32 expected = source(issue.warp, countOperand)[lane];
    if (expected == 0 || (barrier.inUse() && barrier.expected != expected)) {
      fault(site(issue), lane, LaunchStatus::illegalInstruction,
            fmt::format("barrier {} with a thread count of {}, where others gave {}", number, expected, barrier.expected),
            "give the same number of threads, a multiple of the warp size, at every use");
    }
    barrier.expected = expected;
  } else if (needsCount) {
    fault(site(issue), issue.executing.least(), LaunchStatus::illegalInstruction, "bar.arrive without a thread count",
          "give the number of threads");
  }
  barrier.arrived += arriving(issue, number, countOperand.present);
}

// Lanes of a warp may come one after the other to a barrier that all must execute together; whether they did is known when they have come.
void Machine::warnUnlessTogether(const Warp& warp, u32 pc, u32 number, LaneMask together) {
  const LaneMask live = warp.tree.lanes();
  if (together == live || !kernel_.at(pc).instruction->modifiers.aligned) return;
  noteUndefined(pc, fmt::format("barrier {} reached by {} of the {} live threads of a warp: all threads of a warp must execute it together",
                                number, together.size(), live.size()));
}

void Machine::barrierArrive(const Issue& issue) {
  const u32 number = barrierNumber(issue);
  arriveAtBarrier(issue, number, true);
  warnUnlessTogether(issue.warp, issue.pc, number, issue.executing);
  ++changes_;
  if (issue.block.races) issue.block.races->arrive(issue.warp.index, number);
  completeBarrier(issue.block, number);
}

void Machine::barrierSync(const Issue& issue) {
  const u32 number = barrierNumber(issue);
  const LaneMask skipping = issue.active & ~issue.executing;
  if (skipping) issue.warp.tree.split(issue.path, skipping, issue.pc + 1);
  arriveAtBarrier(issue, number, false);
  Barrier& barrier = issue.block.barriers[number];
  if (issue.op.handler == Handler::barrierReduce) {
    const LaneMask value = predicate(issue.warp, issue.op.sources[2]) & issue.executing;
    barrier.count += value.size();
    barrier.any |= !value.empty();
    barrier.all &= value == issue.executing;
  }
  issue.path.state = PathState::atBarrier;
  issue.path.barrier = static_cast<u8>(number);
  if (!independent()) issue.warp.tree.holdReady(issue.path.barrier);
  if (issue.block.races) issue.block.races->arrive(issue.warp.index, number);
  completeBarrier(issue.block, number);
}

// All threads of a block are to wait at the same __syncthreads.
void Machine::checkSameBarrier(Block& block, u32 number) {
  u32 first = kNoPc;
  for (Warp& warp : block.warps) {
    for (const Path& path : warp.tree.paths()) {
      if (path.state != PathState::atBarrier || path.barrier != number) continue;
      const Op& op = kernel_.at(path.pc);
      if (op.sources[1].present || !op.instruction->modifiers.aligned) continue;
      if (first == kNoPc) first = path.pc;
      if (path.pc == first) continue;
      return noteUndefined(
          path.pc, fmt::format("barrier {} is reached here by some threads of a block and at {} by others: all must reach the same", number,
                               placeOf(request_.launch->program->program, first)));
    }
  }
}

// Opens the barrier when enough threads have arrived.
bool Machine::completeBarrier(Block& block, u32 number) {
  Barrier& barrier = block.barriers[number];
  const u32 expected = barrier.expected ? barrier.expected : block.liveThreads;
  if (barrier.arrived < expected) return false;
  if (request_.checks.synchronisation) checkSameBarrier(block, number);
  const Barrier done = barrier;
  barrier = {};
  if (separate_) separate_->recorder->record().barrierOpened = true;
  madeProgress();
  for (Warp& warp : block.warps) {
    // Together or not is known now that all have come; it is asked before any path leaves.
    const auto comes = [&](const Path& path) { return path.state == PathState::atBarrier && path.barrier == number; };
    for (const Path& path : warp.tree.paths()) {
      if (comes(path) && path.mask != warp.tree.lanes()) warnUnlessTogether(warp, path.pc, number, warp.tree.atBarrier(number, path.pc));
    }
    bool opened = false;
    for (Path& path : warp.tree.paths()) {
      if (path.state == PathState::withWarp && path.barrier == number) path.state = PathState::ready;
      if (!comes(path)) continue;
      opened = true;
      const Op& op = kernel_.at(path.pc);
      if (op.handler == Handler::barrierReduce) {
        const LaneOperand& destination = op.destinations[0];
        const isa::BoolOp combine = op.instruction->modifiers.combine;
        if (destination.bank == LaneOperand::Bank::predicate) {
          const bool value = combine == isa::BoolOp::and_ ? done.all : done.any;
          setPredicate(warp, destination, path.mask, value ? ~LaneMask{} : LaneMask{});
        } else {
          u32* plane = registers(warp, destination);
          for (const u32 lane : path.mask) plane[lane] = done.count;
        }
        if (issueEvents_) raiseResult(block.index, warp, op, path.pc, path.mask);
      }
      path.state = PathState::ready;
      path.polling = false;
      ++path.pc;
    }
    if (!opened) continue;
    warp.mayStore = false;
    if (block.races) block.races->pass(warp.index, number);
    if (warp.tree.paths().size() > 1) warp.tree.mergeReady();
  }
  if (block.races) block.races->reset(number);
  return true;
}

}  // namespace warpwright::exec
