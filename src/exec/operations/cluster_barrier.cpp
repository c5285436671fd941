#include "exec/operations/cluster_barrier.hpp"

#include <fmt/format.h>

#include "exec/cluster.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

// Before threads were independent, what some lanes execute all of the warp has executed.
LaneMask comingTo(const Grid& grid, const Issue& issue) { return independent(grid) ? issue.executing : issue.warp.tree.lanes(); }

// Where blocks of a cluster run at once, what one of them does is known to the others between quanta: see stepper.hpp.
void settleBarrier(Grid& grid, Block& block) {
  if (grid.separate && block.cluster) {
    grid.separate->clustersChanged = true;
    return;
  }
  if (grid.separate && hasClusterArrived(block)) grid.separate->recorder->record().barrierOpened = true;
  completeClusterBarrier(grid, block);
}

}  // namespace

void clusterArrive(Grid& grid, const Issue& issue) {
  Warp& warp = issue.warp;
  const LaneMask coming = comingTo(grid, issue);
  if (warp.awaitsCluster & coming)
    noteUndefined(grid, issue.pc, "threads arrive at the barrier of their cluster again, without a wait for what they arrived at before");
  if (issue.op.instruction->modifiers.aligned && coming != warp.tree.lanes())
    noteUndefined(grid, issue.pc,
                  fmt::format("the barrier of the cluster reached by {} of the {} live threads of a warp: all threads of a warp must "
                              "execute it together",
                              coming.size(), warp.tree.lanes().size()));
  issue.block.arrivedAtCluster += (coming - warp.atCluster).size();
  issue.block.lastArrival = issue.now;
  warp.atCluster |= coming;
  warp.awaitsCluster |= coming;
  ++grid.progress.changes;
  const bool isRelaxed = issue.op.instruction->modifiers.ordering == isa::Ordering::relaxed;
  if (issue.block.races) issue.block.races->arriveAtCluster(warp.index, racesOf(issue.block), isRelaxed);
  settleBarrier(grid, issue.block);
}

bool clusterWait(Grid& grid, const Issue& issue) {
  Warp& warp = issue.warp;
  if (issue.executing - warp.awaitsCluster)
    noteUndefined(grid, issue.pc, "threads wait at the barrier of their cluster without having arrived at it");
  warp.awaitsCluster -= comingTo(grid, issue);
  const LaneMask waiting = issue.executing & warp.atCluster;
  if (waiting.empty()) {
    if (issue.block.races) issue.block.races->passCluster(warp.index, racesOf(issue.block));
    return true;
  }
  const LaneMask others = issue.active - waiting;
  if (others) warp.tree.split(issue.path, others, next(issue.pc));
  issue.path.state = PathState::atBarrier;
  issue.path.barrier = kClusterBarrier;
  if (!independent(grid)) warp.tree.holdReady(kClusterBarrier);
  return false;
}

void leaveCluster(Grid& grid, Block& block, Warp& warp, LaneMask lanes) {
  block.arrivedAtCluster -= (lanes & warp.atCluster).size();
  warp.atCluster -= lanes;
  settleBarrier(grid, block);
}

}  // namespace warpwright::exec
