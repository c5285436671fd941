// Block-wide barriers (PTX ISA, "bar, barrier"), open to any subset of warps. With independent threads each thread arrives for itself.
// Before that barriers know warps alone: what some threads of a warp execute, all of it has executed, and none goes on before the barrier
// opens.
#include "exec/operations/barrier.hpp"

#include <fmt/format.h>

#include <bit>

#include "exec/dispatch.hpp"
#include "exec/location.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

u32 barrierNumber(Grid& grid, const Issue& issue) {
  const LaneId lane = issue.executing.least();
  const u32 number = source(issue.warp, issue.op.sources[0])[lane];
  if (number < kGroupBarriers) return number;
  fault(site(grid, issue), lane, LaunchStatus::illegalInstruction, fmt::format("barrier {} does not exist", number),
        "use barriers 0 to 15");
}

// The threads that `issue` brings to the barrier. Counts are in whole warps: exited or missing lanes count with the last of their warp.
u32 arriving(const Grid& grid, const Issue& issue, u32 number, bool countsWarps) {
  const LaneMask live = issue.warp.tree.lanes();
  if (!independent(grid)) return countsWarps ? grid.request.limits.warpSize : live.size();
  const LaneMask before = issue.executing == live ? LaneMask{} : issue.warp.tree.atBarrier(number);
  const bool completesWarp = (before | issue.executing) == live;
  if (countsWarps && completesWarp) return grid.request.limits.warpSize - before.size();
  return issue.executing.size();
}

void arriveAtBarrier(Grid& grid, const Issue& issue, u32 number, bool needsCount) {
  Barrier& barrier = issue.block.barriers[number];
  const LaneOperand& countOperand = issue.op.sources[1];
  if (countOperand.present) {
    const LaneId lane = issue.executing.least();
    const u32 expected = source(issue.warp, countOperand)[lane];
    if (expected == 0 || (barrier.inUse() && barrier.expected != expected)) {
      fault(site(grid, issue), lane, LaunchStatus::illegalInstruction,
            fmt::format("barrier {} with a thread count of {}, where others gave {}", number, expected, barrier.expected),
            "give the same number of threads, a multiple of the warp size, at every use");
    }
    barrier.expected = expected;
  } else if (needsCount) {
    fault(site(grid, issue), issue.executing.least(), LaunchStatus::illegalInstruction, "bar.arrive without a thread count",
          "give the number of threads");
  }
  barrier.arrived += arriving(grid, issue, number, countOperand.present);
}

// Lanes of a warp may come one after the other to a barrier that all must execute together; whether they did is known when they have come.
void warnUnlessTogether(Grid& grid, const Warp& warp, Pc pc, u32 number, LaneMask together) {
  const LaneMask live = warp.tree.lanes();
  if (together == live || !grid.kernel.at(pc).instruction->modifiers.aligned) return;
  noteUndefined(grid, pc,
                fmt::format("barrier {} reached by {} of the {} live threads of a warp: all threads of a warp must execute it together",
                            number, together.size(), live.size()));
}

// All threads of a block are to wait at the same __syncthreads.
void checkSameBarrier(Grid& grid, Block& block, u32 number) {
  Pc first = kNoPc;
  for (Warp& warp : block.warps) {
    for (const Path& path : warp.tree.paths()) {
      if (path.state != PathState::atBarrier || path.barrier != number) continue;
      const Op& op = grid.kernel.at(path.pc);
      if (op.sources[1].present || !op.instruction->modifiers.aligned) continue;
      if (first == kNoPc) first = path.pc;
      if (path.pc == first) continue;
      return noteUndefined(grid, path.pc,
                           fmt::format("barrier {} is reached here by some threads of a block and at {} by others: all must reach the same",
                                       number, locationOf(grid.request.launch->program->program, first)));
    }
  }
}

// The path stands at the barrier, at which its arrival has been counted.
void stand(Grid& grid, const Issue& issue, u32 number) {
  issue.path.state = PathState::atBarrier;
  issue.path.barrier = static_cast<u8>(number);
  if (!independent(grid)) issue.warp.tree.holdReady(issue.path.barrier);
  if (issue.block.races) issue.block.races->arrive(issue.warp.index, number);
  completeBarrier(grid, issue.block, number);
}

}  // namespace

void waitAsWarp(Grid& grid, const Issue& issue, u32 number, u32 threads) {
  Barrier& barrier = issue.block.barriers[number];
  barrier.expected = threads;
  barrier.arrived += issue.executing.size();
  stand(grid, issue, number);
}

void barrierArrive(Grid& grid, const Issue& issue) {
  const u32 number = barrierNumber(grid, issue);
  arriveAtBarrier(grid, issue, number, true);
  warnUnlessTogether(grid, issue.warp, issue.pc, number, issue.executing);
  ++grid.progress.changes;
  if (issue.block.races) issue.block.races->arrive(issue.warp.index, number);
  completeBarrier(grid, issue.block, number);
}

void barrierSync(Grid& grid, const Issue& issue) {
  const u32 number = barrierNumber(grid, issue);
  const LaneMask skipping = issue.active & ~issue.executing;
  if (skipping) issue.warp.tree.split(issue.path, skipping, next(issue.pc));
  arriveAtBarrier(grid, issue, number, false);
  Barrier& barrier = issue.block.barriers[number];
  if (issue.op.handler == Handler::barrierReduce) {
    const LaneMask value = predicate(issue.warp, issue.op.sources[2]) & issue.executing;
    barrier.count += value.size();
    barrier.any |= !value.empty();
    barrier.all &= value == issue.executing;
  }
  stand(grid, issue, number);
}

// Opens the barrier when enough threads have arrived.
bool completeBarrier(Grid& grid, Block& block, u32 number) {
  Barrier& barrier = block.barriers[number];
  const u32 expected = barrier.expected ? barrier.expected : block.liveThreads;
  if (barrier.arrived < expected) return false;
  if (grid.request.checks.synchronisation) checkSameBarrier(grid, block, number);
  const Barrier done = barrier;
  barrier = {};
  if (grid.separate && number < kGroupBarriers) grid.separate->recorder->record().barrierOpened = true;
  madeProgress(grid);
  for (Warp& warp : block.warps) {
    // Together or not is known now that all have come; it is asked before any path leaves.
    const auto comes = [&](const Path& path) { return path.state == PathState::atBarrier && path.barrier == number; };
    for (const Path& path : warp.tree.paths()) {
      if (comes(path) && path.mask != warp.tree.lanes())
        warnUnlessTogether(grid, warp, path.pc, number, warp.tree.atBarrier(number, path.pc));
    }
    bool opened = false;
    for (Path& path : warp.tree.paths()) {
      if (path.state == PathState::withWarp && path.barrier == number) path.state = PathState::ready;
      if (!comes(path)) continue;
      opened = true;
      const Op& op = grid.kernel.at(path.pc);
      if (op.handler == Handler::barrierReduce) {
        const LaneOperand& destination = op.destinations[0];
        const isa::BoolOp combine = op.instruction->modifiers.combine;
        if (destination.bank == LaneOperand::Bank::predicate) {
          const bool value = combine == isa::BoolOp::and_ ? done.all : done.any;
          setPredicate(warp, destination, path.mask, value ? ~LaneMask{} : LaneMask{});
        } else {
          u32* plane = registers(warp, destination);
          for (const LaneId lane : path.mask) plane[lane] = done.count;
        }
        if (grid.issueEvents) raiseResult(grid, block.index, warp, op, path.pc, path.mask);
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
