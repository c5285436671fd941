// The dispatch loop: one dispatch per warp instruction.
#include "exec/dispatch.hpp"

#include <bit>

#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

constexpr s64 kTurn = 4096;  // warp instructions before the next warp of the block gets a turn
// Stepping, times that a path lets others run in vain before lanes that wait for it at meeting points go on: what it polls may be theirs to
// write. The functional machine sees for certain that nothing else can happen (turns.cpp).
constexpr u32 kYieldsBeforeRelease = 64;

// True when a direct access has done it all.
inline bool accessDirectly(Grid& grid, const Block& block, const Warp& warp, const Op& op) {
  Reach reach;
  switch (op.space) {
    case isa::Space::shared:
      reach = {0, block.sharedBytes, block.sharedBase()};
      break;
    case isa::Space::constant:
      reach = {0, grid.request.launch->program->program.constantBytes, grid.request.launch->program->constantBase};
      break;
    case isa::Space::param:
      reach = {0, grid.parameters.size(), reinterpret_cast<u64>(grid.parameters.data())};
      break;
    default:
      if (op.cache.generation != grid.memory.generation()) return false;
      reach = {op.cache.begin, op.cache.end - op.cache.begin, 0};
  }
  const u32* low = op.addressWords ? source(warp, op.sources[0]) : nullptr;
  const DirectAddress address{low, op.addressWords == 2 ? low + grid.lanes : nullptr, op.offset, op.wraps};
  if (op.handler == Handler::load) return op.direct(address, reach, registers(warp, op.destinations[0]));
  if (op.mayRace && !warp.mayStore) return false;
  if (!op.direct(address, reach, const_cast<u32*>(source(warp, op.sources[1])))) return false;
  ++grid.progress.changes;
  return true;
}

// Accesses of one instruction are equally long and aligned: they overlap where they begin at the same address.
void noteStore(const Grid& grid, TriedStore& store, const Issue& issue) {
  const Op& op = issue.op;
  LaneAddresses addresses;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  grid.addresses(low, op.addressWords == 2 ? low + grid.lanes : nullptr, op.offset, op.wraps, op.accessBytes(), issue.executing, addresses);
  for (const LaneId lane : issue.executing) {
    const GlobalAddress address(addresses.lane[lane]);
    store.races |= store.writers.try_emplace(address, issue.warp.index).first->second != issue.warp.index;
  }
}

bool hasNoRace(Grid& grid, const Issue& issue) {
  TriedStore& store = grid.triedStores.try_emplace(issue.pc, TriedStore{issue.block.index, {}, false}).first->second;
  if (store.races) return false;
  if (store.block == issue.block.index) {
    noteStore(grid, store, issue);
    return false;
  }
  issue.op.mayRace = false;
  store.writers.clear();
  return true;
}

void raiseBranch(const Grid& grid, const Block& block, const Warp& warp, const Op& op, Pc pc, LaneMask active, LaneMask executing) {
  const u32 targets = !executing.empty() && executing != active ? 2 : 1;
  grid.request.observer->branch({{block.index, warp.index}, pc, op.instruction, active, executing, targets});
}

// Everything but lane operations and uniform branches; out of line, so that the loop does not prepare for it. True when the path goes
// straight on; otherwise it and the tree are up to date.
[[gnu::noinline]] bool performAt(Grid& grid, Block& block, Warp& warp, Path& path, Op& op, LaneMask active, LaneMask executing, u64 now) {
  return op.perform(grid, {block, warp, path, op, path.pc, active, executing, now});
}

// Runs a path until it ends, waits, forks or polls in vain, or the budget is spent; gives what is left of it. Straight runs of
// instructions are counted, and paid from the budget, as a whole when control leaves them.
template <bool kIssueEvents>
s64 runPath(Grid& grid, Block& block, Warp& warp, Path& path, s64 budget) {
  Op* const ops = grid.kernel.ops();
  const Pc first = grid.kernel.first();
  const LaneState& state = warp.state;
  const LaneMask* const predicates = warp.predicates.data();
  const LaneMask active = path.mask;
  const u64 activeLanes = u64{active.size()};
  const u64 given = grid.progress.instructions + static_cast<u64>(budget);
  const Pc meeting = warp.tree.meetingPoint(path);
  const Op* const last = meeting != kNoPc ? ops + (meeting - first) : nullptr;
  Op* op = ops + (path.pc - first);
  Op* begin = op;  // of the current run
  warp.polls = 0;

  const auto pcOf = [&](const Op* at) { return Pc(first + static_cast<u32>(at - ops)); };
  const auto endRun = [&](const Op* end) {
    countRun(grid, pcOf(begin), pcOf(end), activeLanes);
    return budget -= end - begin;
  };

  for (;; ++op) {
    if (op == last) {
      path.pc = meeting;
      warp.tree.arrive(path);
      return endRun(op);
    }
    if constexpr (!kIssueEvents) {
      if (op->isPlain) [[likely]] {
        op->function(*op, state, active);
        continue;
      }
    }
    const LaneMask executing = active & (predicates[op->guardIndex] ^ op->guardFlip);
    if constexpr (kIssueEvents) {
      // No observer hears of an instruction that has to wait.
      if (op->mayRace && executing) {
        path.pc = pcOf(op);
        if (endsFirstTurn(grid, {block, warp, path, *op, path.pc, active, executing, 0})) return endRun(op);
      }
    }
    if (executing != active) op->idleLanes += executing ? u64{(active ^ executing).size()} : activeLanes;
    if constexpr (kIssueEvents) {
      raiseIssue(grid, block, warp, *op, pcOf(op), active, executing);
    }
    if (op->direct && executing == kWholeWarp && accessDirectly(grid, block, warp, *op)) continue;
    if (op->function) {
      if (executing) {
        op->function(*op, state, executing);
        if constexpr (kIssueEvents) raiseResult(grid, block.index, warp, *op, pcOf(op), executing);
      }
      continue;
    }
    if (op->handler == Handler::branch) {
      if (grid.request.observer) raiseBranch(grid, block, warp, *op, pcOf(op), active, executing);
      if (executing == active) {
        endRun(op + 1);
        begin = ops + (op->target - first);
        if (budget <= 0) {
          path.pc = Pc(op->target);
          return budget;
        }
        op = begin - 1;
        continue;
      }
    }
    if (executing.empty() && op->handler != Handler::branchIndexed) continue;
    path.pc = pcOf(op);
    bool goesOn = false;
    try {
      goesOn =
          performAt(grid, block, warp, path, *op, active, executing, given - static_cast<u64>(budget) + static_cast<u64>(op + 1 - begin));
    } catch (...) {
      endRun(op + 1);
      throw;
    }
    if (!goesOn) return endRun(op + 1);
  }
}

}  // namespace

void countRun(Grid& grid, Pc begin, Pc end, u64 lanes) {
  grid.runs[begin].warps += 1;
  grid.runs[begin].lanes += lanes;
  grid.runs[end].warps -= 1;
  grid.runs[end].lanes -= lanes;
}

// The store is issued again in the warp's next turn. A store at which no two warps of the first block met ends no more turns.
bool endsFirstTurn(Grid& grid, const Issue& issue) {
  if (grid.separate || !issue.op.mayRace || issue.warp.mayStore) return false;
  issue.warp.mayStore = !hasNoRace(grid, issue);
  return issue.warp.mayStore;
}

// The path reads the same again and again: other paths get a turn first.
void waitForOthers(Grid& grid, const Issue& issue) {
  Warp& warp = issue.warp;
  warp.polls = 0;
  // Stepped warps with a stack have no other path to run.
  if (grid.separate && !independent(grid)) return;
  issue.path.polling = true;
  if (grid.separate && ++warp.yields >= kYieldsBeforeRelease) {
    warp.yields = 0;
    releaseWaiting(grid, warp);
  } else if (grid.eagerPoints) {
    warp.tree.releaseWaiting([&](Pc point) { return grid.kernel.at(point).eager; });
  }
}

// Takes back the count of an instruction that has to wait; it is issued again.
void unissue(Grid& grid, const Issue& issue) {
  InstructionCount& count = grid.result.counts[issue.pc];
  --count.warps;
  count.lanes -= u64{issue.executing.size()};
  count.active -= u64{issue.active.size()};
  if (!grid.issueEvents) return;
  if (grid.injector) --issue.warp.issues;
  if (!grid.request.observer) return;
  const WarpId warp{issue.block.index, issue.warp.index};
  grid.request.observer->issueTakenBack({warp, issue.pc, issue.op.instruction, issue.active, issue.executing, viewOf(grid, issue.warp)});
}

void raiseIssue(Grid& grid, Block& block, Warp& warp, const Op& op, Pc pc, LaneMask active, LaneMask executing) {
  if (grid.injector) grid.injector->issues(grid, block, warp, pc, executing);
  if (op.instruction && grid.request.observer)
    grid.request.observer->issue({{block.index, warp.index}, pc, op.instruction, active, executing, viewOf(grid, warp)});
}

void raiseResult(Grid& grid, u64 block, Warp& warp, const Op& op, Pc pc, LaneMask written) {
  if (!op.destinations[0].present && !op.destinations[1].present) return;
  if (grid.injector) grid.injector->hasWritten(grid, block, warp, op, pc, written);
  if (grid.request.observer) grid.request.observer->result({{block, warp.index}, pc, op.instruction, written, viewOf(grid, warp)});
}

// Adds the runs to the counts of single instructions.
void settleCounts(Grid& grid) {
  u64 warps = 0, lanes = 0;
  for (Pc pc{0}; pc < grid.result.counts.size(); ++pc) {
    warps += grid.runs[pc].warps;
    lanes += grid.runs[pc].lanes;
    InstructionCount& count = grid.result.counts[pc];
    count.warps += warps;
    count.active += lanes;
    count.lanes += lanes - (grid.kernel.contains(pc) ? grid.kernel.at(pc).idleLanes : 0);
  }
}

// A warp's first turn after the block's start, or after a barrier, ends before a store to global memory that other warps may make too. So
// the warps of a block that read what they then overwrite, without order among them, all read the old value, as they do on a GPU, where
// they run side by side.
template <bool kIssueEvents>
void runWarp(Grid& grid, Block& block, Warp& warp) {
  warp.tree.forgetPolls();
  s64 budget = kTurn;
  while (budget > 0) {
    Path* path = independent(grid) ? warp.tree.selectBusy() : warp.tree.select();
    if (!path || path->polling) break;
    const s64 before = budget;
    const bool mayStore = warp.mayStore;
    budget = runPath<kIssueEvents>(grid, block, warp, *path, budget);
    grid.progress.instructions += static_cast<u64>(before - budget);
    if (warp.mayStore != mayStore) return;
  }
  if (!independent(grid)) return;
  if (warp.tree.paths().size() < 2) return;
  if (Path* path = warp.tree.select()) warp.tree.yield(*path);
}

template void runWarp<false>(Grid&, Block&, Warp&);
template void runWarp<true>(Grid&, Block&, Warp&);

// Lets go the lanes that wait for others of their warp at meeting points; the meeting points are remembered, so that lanes wait there no
// longer for lanes that poll.
bool releaseWaiting(Grid& grid, Warp& warp) {
  const bool any = warp.tree.releaseWaiting([&](Pc point) {
    grid.kernel.at(point).eager = true;
    return true;
  });
  grid.eagerPoints |= any;
  return any;
}

}  // namespace warpwright::exec
