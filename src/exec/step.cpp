// One warp instruction at a time: see stepper.hpp.
#include "exec/step.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/lane_count.hpp"
#include "exec/dispatch.hpp"
#include "exec/step_recorder.hpp"
#include "exec/turns.hpp"

namespace warpwright::exec {
namespace {

bool isSerial(const Op& op) {
  if (op.handler == Handler::systemCall) return true;
  return op.handler == Handler::surface && op.instruction->opcode != isa::Opcode::suld;
}

// Control flow that other warps of the block may have waited for.
bool mayReleaseOthers(Handler handler) {
  return handler == Handler::exit || handler == Handler::ret || handler == Handler::barrierSync || handler == Handler::barrierReduce ||
         handler == Handler::barrierArrive || handler == Handler::clusterArrive || handler == Handler::groupWait;
}

Path* nextPathBehindMeetings(Grid& grid, Warp& warp) {
  PathTree& tree = warp.tree;
  for (;;) {
    Path* path = independent(grid) ? tree.selectBusy() : tree.select();
    if (!path && independent(grid) && tree.hasReady()) {
      tree.forgetPolls();
      path = tree.selectBusy();
    }
    if (!path && awaitNobody(grid, warp)) continue;
    if (!path) return nullptr;
    const u32 meeting = tree.meetingPoint(*path);
    if (meeting == kNoPc || path->pc != meeting) return path;
    tree.arrive(*path);
  }
}

inline Path* nextPath(Grid& grid, Warp& warp) {
  Path* const path = independent(grid) ? warp.tree.selectBusy() : warp.tree.select();
  if (path && path->pc != PathTree::meetingPoint(*path)) [[likely]]
    return path;
  return nextPathBehindMeetings(grid, warp);
}

// Lets other paths of a diverged warp run after a turn.
void shareWarp(const Grid& grid, Warp& warp) {
  if (warp.tree.paths().size() < 2 || ++warp.turn < grid.request.limits.pathTurn) return;
  warp.turn = 0;
  if (Path* path = warp.tree.selectBusy()) warp.tree.yield(*path);
  warp.tree.forgetPolls();
}

[[gnu::always_inline]] inline NextInstruction nextOf(Grid& grid, Warp& warp) {
  if (warp.tree.finished()) return {};
  const Path* path = nextPath(grid, warp);
  if (path) return {isSerial(grid.kernel.at(path->pc)) ? WarpState::serial : WarpState::ready, path->pc};
  if (warp.tree.finished()) return {};
  const auto paths = warp.tree.paths();
  const bool awaitsLanes =
      std::any_of(paths.begin(), paths.end(), [](const Path& each) { return each.state == PathState::atWarpOperation; });
  return {awaitsLanes ? WarpState::lanes : WarpState::barrier};
}

[[gnu::always_inline]] inline void stepWarp(Grid& grid, Block& block, Warp& warp, u64 now, StepRecorder& recorder) {
  Path& path = *nextPath(grid, warp);
  const Pc pc = path.pc;
  Op& op = grid.kernel.at(pc);
  const LaneMask active = path.mask;
  const LaneMask executing = active & (warp.predicates[op.guardIndex] ^ op.guardFlip);
  StepRecord& record = recorder.begin(pc, op.instruction, active, executing);
  InstructionCount& count = grid.result.counts[pc];
  const u64 activeLanes = countLanes(active);
  ++count.warps;
  count.lanes += executing == active ? activeLanes : countLanes(executing);
  count.active += activeLanes;
  ++grid.progress.instructions;
  if (grid.issueEvents) raiseIssue(grid, block, warp, op, pc, active, executing);
  if (op.function) {
    if (executing) op.function(op, warp.state, executing);
    if (executing && grid.issueEvents) raiseResult(grid, block.index, warp, op, pc, executing);
    ++path.pc;
    return;
  }
  if (op.handler == Handler::branch) {
    const u32 targets = !executing.empty() && executing != active ? 2 : 1;
    recorder.branch({{block.index, warp.index}, pc, op.instruction, active, executing, targets});
    if (executing == active) {
      path.pc = Pc(op.target);
      record.jumped = path.pc != next(pc);
      if (independent(grid)) shareWarp(grid, warp);
      return;
    }
  }
  if (executing.empty() && op.handler != Handler::branchIndexed) {
    ++path.pc;
    return;
  }
  const u64 issued = count.warps;
  const Issue issue{block, warp, path, op, pc, active, executing, now};
  if (op.perform(grid, issue)) {
    if (record.awaitsAtomics) return;
    ++path.pc;
  } else {
    record.jumped = true;
    record.waits = count.warps < issued;
  }
  record.releasesOthers = mayReleaseOthers(op.handler);
  if (independent(grid)) shareWarp(grid, warp);
}

// Nothing but the warp itself can change where it goes on, or what its registers hold.
bool isAlone(const Warp& warp) {
  const auto paths = warp.tree.paths();
  if (paths.size() != 1 || warp.deferred != 0) return false;
  const Path& path = paths.front();
  return path.state == PathState::ready && !path.polling && PathTree::meetingPoint(path) == kNoPc;
}

// Executes the plain instructions that come next.
void runPlain(Grid& grid, Warp& warp, StepRecord& record) {
  Path& path = warp.tree.paths().front();
  const Op* const first = &grid.kernel.at(path.pc);
  const Op* const end = first + first->plainRun;
  if (first == end) return;
  for (const Op* op = first; op != end; ++op) op->function(*op, warp.state, path.mask);
  const Pc begin = std::exchange(path.pc, Pc(path.pc + first->plainRun));
  countRun(grid, begin, path.pc, countLanes(path.mask));
  grid.progress.instructions += first->plainRun;
  record.ahead = {first->plainRun, path.mask, {isSerial(*end) ? WarpState::serial : WarpState::ready, path.pc}};
}

}  // namespace

void startBlock(Grid& grid, BlockSlotId slot, u64 order, SmId sm, Cluster* cluster) {
  while (grid.blocks.slots.size() <= slot)
    addBlockSlot(grid, static_cast<u32>(grid.blocks.slots.size()) * grid.request.limits.multiprocessors + sm);
  beginBlock(grid, *grid.blocks.slots[slot], slot, order, cluster);
}

bool endBlockIfFinished(Grid& grid, BlockSlotId slot) {
  if (!grid.blocks.occupied[slot]) return true;
  if (grid.blocks.slots[slot]->liveThreads != 0) return false;
  finish(grid, *grid.blocks.slots[slot], slot);
  return true;
}

NextInstruction nextInstruction(Grid& grid, BlockSlotId slot, u32 index) { return nextOf(grid, grid.blocks.slots[slot]->warps[index]); }

void resume(Grid& grid, BlockSlotId slot, u32 index, bool behind) {
  Block& block = *grid.blocks.slots[slot];
  Warp& warp = block.warps[index];
  Path& path = *nextPath(grid, warp);
  Op& op = grid.kernel.at(path.pc);
  const LaneMask executing = path.mask & (warp.predicates[op.guardIndex] ^ op.guardFlip);
  unissue(grid, {block, warp, path, op, path.pc, path.mask, executing, 0});
  if (behind) ++path.pc;
}

NextInstruction nextApart(Grid& grid, Helper& helper) { return nextOf(grid, helper.warp); }

void step(Grid& grid, BlockSlotId slot, u32 index, u64 now, StepRecorder& recorder, RunAhead runAhead) {
  Block& block = *grid.blocks.slots[slot];
  Warp& warp = block.warps[index];
  stepWarp(grid, block, warp, now, recorder);
  StepRecord& record = recorder.record();
  record.next = nextOf(grid, warp);
  if (runAhead == RunAhead::never || (runAhead == RunAhead::behindOthersThanAccesses && record.accessCount != 0)) return;
  if (!record.releasesOthers && isAlone(warp)) runPlain(grid, warp, record);
}

// A run from its end to its beginning is one less.
void takeBack(Grid& grid, BlockSlotId slot, u32 index, u32 instructions) {
  const Path& path = grid.blocks.slots[slot]->warps[index].tree.paths().front();
  countRun(grid, path.pc, Pc(path.pc - instructions), countLanes(path.mask));
}

void stepApart(Grid& grid, Helper& helper, u64 now, StepRecorder& recorder) { stepWarp(grid, *helper.block, helper.warp, now, recorder); }

}  // namespace warpwright::exec
