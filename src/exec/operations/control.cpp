// Branches, calls and the end of threads.
#include "exec/operations/control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/demangle.hpp"
#include "exec/bulk_transfer.hpp"
#include "exec/operations/async.hpp"
#include "exec/operations/barrier.hpp"
#include "exec/operations/cluster_barrier.hpp"
#include "exec/operations/warp_group.hpp"

namespace warpwright::exec {
namespace {

using Target = PathTree::Target;

// Lanes grouped by where they go, in the order of first appearance.
struct Groups {
  std::array<Target, kMaxWarpSize> targets;
  u32 count = 0;

  void add(Pc pc, LaneId lane) {
    for (u32 i = 0; i < count; ++i) {
      if (targets[i].pc != pc) continue;
      targets[i].lanes.insert(lane);
      return;
    }
    targets[count++] = {pc, LaneMask::of(lane)};
  }
  LaneMask mostPopular() const {
    LaneMask best;
    for (u32 i = 0; i < count; ++i) {
      if (targets[i].lanes.size() > best.size()) best = targets[i].lanes;
    }
    return best;
  }
};

void lanesExited(Grid& grid, Block& block, Warp& warp, LaneMask lanes) {
  if (warp.isHelper) return;
  madeProgress(grid);
  finishCopiesOf(grid, block, warp, lanes);
  finishStoresOf(grid, warp, lanes);
  if (block.races && warp.tree.finished()) noteOperandReads(block, warp, warp.operands.groups + 1);
  block.liveThreads -= lanes.size();
  // Exited threads are awaited no longer, by warp operations and by barriers of all threads.
  for (Path& path : warp.tree.paths()) {
    if (path.state == PathState::atWarpOperation) path.state = PathState::ready;
  }
  for (u32 number = 0; number < kBarriers; ++number) {
    if (block.barriers[number].inUse()) completeBarrier(grid, block, number);
  }
  leaveCluster(grid, block, warp, lanes);
}

void callFunction(Grid& grid, const Issue& issue, const isa::Function& function) {
  const LaneId lane = issue.executing.least();
  if (function.isDeclaration) {
    fault(site(grid, issue), lane, LaunchStatus::illegalInstruction,
          fmt::format("call of '{}', which is declared but not defined", demangled(function.name)),
          "link or load the module that defines it");
  }
  const LaneMask skipping = issue.active & ~issue.executing;
  if (skipping) issue.warp.tree.split(issue.path, skipping, next(issue.pc));
  if (issue.warp.tree.call(issue.path, function.begin, next(issue.pc))) return;
  fault(site(grid, issue), lane, LaunchStatus::stackOverflow, "calls nest too deeply", "end the recursion earlier");
}

}  // namespace

// A divergent branch. The lanes that fall through run first.
void branch(Grid&, const Issue& issue) {
  const Target targets[] = {{Pc(issue.op.target), issue.executing}, {next(issue.pc), issue.active & ~issue.executing}};
  if (targets[0].pc == targets[1].pc) {
    ++issue.path.pc;
    return;
  }
  issue.warp.tree.diverge(issue.path, targets, issue.op.reconvergence);
}

void branchIndexed(Grid& grid, const Issue& issue) {
  const auto& tables = grid.request.launch->program->program.branchTables;
  const std::vector<Pc>& table = tables.at(issue.op.target);
  const u32* indices = source(issue.warp, issue.op.sources[0]);
  Groups groups;
  for (const LaneId lane : issue.executing) {
    if (indices[lane] >= table.size()) {
      fault(site(grid, issue), lane, LaunchStatus::invalidProgramCounter,
            fmt::format("indexed branch: index {} is not below the table's {} targets", indices[lane], table.size()), "check the index");
    }
    if (!grid.kernel.contains(table[indices[lane]])) undefinedCode(grid, issue);
    groups.add(table[indices[lane]], lane);
  }
  if (grid.request.observer) {
    const u32 targets = groups.count + (issue.executing != issue.active ? 1 : 0);
    grid.request.observer->branch(
        {{issue.block.index, issue.warp.index}, issue.pc, issue.op.instruction, issue.active, groups.mostPopular(), targets});
  }
  for (const LaneId lane : issue.active & ~issue.executing) groups.add(next(issue.pc), lane);
  if (groups.count == 1) {
    issue.path.pc = groups.targets[0].pc;
    return;
  }
  issue.warp.tree.diverge(issue.path, {groups.targets.data(), groups.count}, issue.op.reconvergence);
}

void call(Grid& grid, const Issue& issue) { callFunction(grid, issue, grid.request.launch->program->program.functions[issue.op.target]); }

void callIndirect(Grid& grid, const Issue& issue) {
  const isa::Program& program = grid.request.launch->program->program;
  const LaneOperand& operand = issue.op.sources[0];
  const u32* plane = source(issue.warp, operand);
  Groups groups;
  for (const LaneId lane : issue.executing) {
    const u64 address = grid.addressBits == 64 ? wide(grid, plane, lane) : plane[lane];
    const u64 offset = address - isa::kCodeWindow;
    const u64 target = offset / isa::kInstructionBytes;
    const isa::Function* function = address >= isa::kCodeWindow && offset % isa::kInstructionBytes == 0 && target < program.code.size()
                                        ? program.functionAt(Pc(static_cast<u32>(target)))
                                        : nullptr;
    if (!function || function->begin != target) {
      fault(site(grid, issue), lane, LaunchStatus::invalidProgramCounter,
            fmt::format("indirect call of {:#x}, where no function begins", address),
            "check that the function pointer was set, on the device");
    }
    groups.add(function->begin, lane);
  }
  // Lanes that call different functions meet again after the call.
  const LaneMask skipping = issue.active & ~issue.executing;
  if (groups.count == 1 && !skipping) return callFunction(grid, issue, *program.functionAt(groups.targets[0].pc));
  std::array<Target, kMaxWarpSize + 1> targets;
  u32 count = 0;
  if (skipping) targets[count++] = {next(issue.pc), skipping};
  for (u32 i = 0; i < groups.count; ++i) targets[count++] = {issue.pc, groups.targets[i].lanes};
  issue.warp.tree.diverge(issue.path, {targets.data(), count}, next(issue.pc));
  for (u32 i = 0; i < groups.count; ++i) {
    for (Path& path : issue.warp.tree.paths()) {
      if (path.mask != groups.targets[i].lanes) continue;
      const LaneId lane = path.mask.least();
      if (issue.warp.tree.call(path, groups.targets[i].pc, next(issue.pc))) break;
      fault(site(grid, issue), lane, LaunchStatus::stackOverflow, "calls nest too deeply", "end the recursion earlier");
    }
  }
}

void ret(Grid& grid, const Issue& issue) {
  const LaneMask exited = issue.warp.tree.ret(issue.path, issue.executing);
  if (exited) lanesExited(grid, issue.block, issue.warp, exited);
}

void exit(Grid& grid, const Issue& issue) {
  issue.warp.tree.exit(issue.path, issue.executing);
  lanesExited(grid, issue.block, issue.warp, issue.executing);
}

void stop(Grid& grid, const Issue& issue, LaunchStatus status) {
  const bool trap = status == LaunchStatus::trap;
  fault(site(grid, issue), issue.executing.least(), status, trap ? "trap instruction" : "breakpoint instruction",
        trap ? "the program stops itself here: look at the condition before it" : "remove the breakpoint, there is no debugger");
}

void undefinedCode(Grid& grid, const Issue& issue) {
  fault(site(grid, issue), issue.active.least(), LaunchStatus::invalidProgramCounter, "control runs to where there is no code",
        "end every path of the function with ret or exit");
}

}  // namespace warpwright::exec
