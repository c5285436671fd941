// Block-wide barriers (PTX ISA, "bar, barrier"): counted per thread, open to any subset of warps.
#include <fmt/format.h>

#include <bit>

#include "exec/machine.hpp"

namespace warpwright::exec {
namespace {

u32 firstLane(LaneMask lanes) { return static_cast<u32>(std::countr_zero(lanes)); }

}  // namespace

u32 Machine::barrierNumber(const Issue& issue) {
  if (issue.op.instruction->modifiers.scope != isa::Scope::none) return kClusterBarrier;
  const u32 lane = firstLane(issue.executing);
  const u32 number = source(issue.warp, issue.op.sources[0])[lane];
  if (number < kClusterBarrier) return number;
  fault(site(issue), lane, LaunchStatus::illegalInstruction, fmt::format("barrier {} does not exist", number), "use barriers 0 to 15");
}

void Machine::arriveAtBarrier(const Issue& issue, u32 number, bool needsCount) {
  const LaneMask live = issue.warp.tree.lanes();
  const bool whole = issue.executing == live;
  const isa::Modifiers& modifiers = issue.op.instruction->modifiers;
  if (!whole && modifiers.aligned) {
    warn(issue.pc, fmt::format("barrier {} reached by {} of the {} live threads of a warp: all threads of a warp must execute it together",
                               number, std::popcount(issue.executing), std::popcount(live)));
  }
  Barrier& barrier = issue.block.barriers[number];
  const LaneOperand& countOperand = issue.op.sources[1];
  u32 threads = static_cast<u32>(std::popcount(issue.executing));
  if (countOperand.present) {
    const u32 lane = firstLane(issue.executing);
    const u32 expected = source(issue.warp, countOperand)[lane];
    if (expected == 0 || (barrier.inUse() && barrier.expected != expected)) {
      fault(site(issue), lane, LaunchStatus::illegalInstruction,
            fmt::format("barrier {} with a thread count of {}, where others gave {}", number, expected, barrier.expected),
            "give the same number of threads, a multiple of the warp size, at every use");
    }
    barrier.expected = expected;
    // The count is in whole warps, and exited or missing lanes of a warp count with it.
    if (whole) threads = request_.limits.warpSize;
  } else if (needsCount) {
    fault(site(issue), firstLane(issue.executing), LaunchStatus::illegalInstruction, "bar.arrive without a thread count",
          "give the number of threads");
  }
  barrier.arrived += threads;
}

void Machine::barrierArrive(const Issue& issue) {
  const u32 number = barrierNumber(issue);
  arriveAtBarrier(issue, number, true);
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
    barrier.count += static_cast<u32>(std::popcount(value));
    barrier.any |= value != 0;
    barrier.all &= value == issue.executing;
  }
  issue.path.state = PathState::atBarrier;
  issue.path.barrier = static_cast<u8>(number);
  if (issue.block.races) issue.block.races->arrive(issue.warp.index, number);
  completeBarrier(issue.block, number);
}

// Opens the barrier when enough threads have arrived.
bool Machine::completeBarrier(Block& block, u32 number) {
  Barrier& barrier = block.barriers[number];
  const u32 expected = barrier.expected ? barrier.expected : block.liveThreads;
  if (barrier.arrived < expected) return false;
  const Barrier done = barrier;
  barrier = {};
  madeProgress();
  for (Warp& warp : block.warps) {
    bool opened = false;
    for (Path& path : warp.tree.paths()) {
      if (path.state != PathState::atBarrier || path.barrier != number) continue;
      const Op& op = kernel_.at(path.pc);
      if (op.handler == Handler::barrierReduce) {
        const LaneOperand& destination = op.destinations[0];
        const isa::BoolOp combine = op.instruction->modifiers.combine;
        if (destination.bank == LaneOperand::Bank::predicate) {
          const bool value = combine == isa::BoolOp::and_ ? done.all : done.any;
          setPredicate(warp, destination, path.mask, value ? ~LaneMask{0} : 0);
        } else {
          u32* plane = registers(warp, destination);
          for (LaneMask rest = path.mask; rest; rest &= rest - 1) plane[firstLane(rest)] = done.count;
        }
        if (issueEvents_) raiseResult(block.index, warp, op, path.pc, path.mask);
      }
      path.state = PathState::ready;
      path.polling = false;
      ++path.pc;
      opened = true;
    }
    if (!opened) continue;
    if (block.races) block.races->pass(warp.index, number);
    if (warp.tree.paths().size() > 1) warp.tree.mergeReady();
  }
  if (block.races) block.races->reset(number);
  return true;
}

}  // namespace warpwright::exec
