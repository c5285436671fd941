// The dispatch loop: one dispatch per warp instruction.
#include <bit>

#include "exec/machine.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

constexpr s64 kTurn = 4096;  // warp instructions before the next warp of the block gets a turn
// Stepping, times that a path lets others run in vain before lanes that wait for it at meeting points go on: what it polls may be theirs to
// write. The functional machine sees for certain that nothing else can happen (grid.cpp).
constexpr u32 kYieldsBeforeRelease = 64;

}  // namespace

// Takes back the count of an instruction that has to wait; it is issued again.
void Machine::unissue(const Issue& issue) {
  InstructionCount& count = result_.counts[issue.pc];
  --count.warps;
  count.lanes -= u64{issue.executing.size()};
  count.active -= u64{issue.active.size()};
  if (!issueEvents_) return;
  const WarpId warp{issue.block.index, issue.warp.index};
  request_.observer->issueTakenBack({warp, issue.pc, issue.op.instruction, issue.active, issue.executing, viewOf(issue.warp)});
}

void Machine::raiseIssue(const Block& block, const Warp& warp, const Op& op, u32 pc, LaneMask active, LaneMask executing) const {
  if (op.instruction) request_.observer->issue({{block.index, warp.index}, pc, op.instruction, active, executing, viewOf(warp)});
}

void Machine::raiseResult(u64 block, const Warp& warp, const Op& op, u32 pc, LaneMask written) const {
  if (!op.destinations[0].present && !op.destinations[1].present) return;
  request_.observer->result({{block, warp.index}, pc, op.instruction, written, viewOf(warp)});
}

// Lanes whose destinations an instruction of control() has written when that returns. Operations among lanes and barriers raise the event
// themselves, deferred atomics when they are performed.
LaneMask Machine::writtenAtOnce(const Issue& issue) const {
  switch (issue.op.handler) {
    case Handler::atomic: {
      const auto deferred = separate_ ? separate_->recorder->record().atomic : std::nullopt;
      return issue.executing & ~(deferred ? separate_->atomics[*deferred].mask : LaneMask{});
    }
    case Handler::load:
      return separate_ && separate_->recorder->record().awaitsAtomics ? LaneMask{} : issue.executing;
    case Handler::mbarrier:
    case Handler::specialRegister:
    case Handler::activeMask:
    case Handler::texture:
    case Handler::textureQuery:
    case Handler::surface:
    case Handler::matrix:
      return issue.executing;
    default:
      return {};
  }
}

// Counts the instructions from begin up to end as issued once each, with `lanes` active lanes.
void Machine::countRun(u32 begin, u32 end, u64 lanes) {
  runs_[begin].warps += 1;
  runs_[begin].lanes += lanes;
  runs_[end].warps -= 1;
  runs_[end].lanes -= lanes;
}

// Adds the runs to the counts of single instructions.
void Machine::settleCounts() {
  u64 warps = 0, lanes = 0;
  for (u32 pc = 0; pc < result_.counts.size(); ++pc) {
    warps += runs_[pc].warps;
    lanes += runs_[pc].lanes;
    InstructionCount& count = result_.counts[pc];
    count.warps += warps;
    count.active += lanes;
    count.lanes += lanes - (kernel_.contains(pc) ? kernel_.at(pc).idleLanes : 0);
  }
}

// True when a direct access has done it all.
inline bool Machine::accessDirectly(const Block& block, const Warp& warp, const Op& op) {
  Reach reach;
  switch (op.space) {
    case isa::Space::shared:
      reach = {0, block.sharedBytes, block.sharedBase()};
      break;
    case isa::Space::constant:
      reach = {0, request_.launch->program->program.constantBytes, request_.launch->program->constantBase};
      break;
    case isa::Space::param:
      reach = {0, parameters_.size(), reinterpret_cast<u64>(parameters_.data())};
      break;
    default:
      if (op.cache.generation != memory_.generation()) return false;
      reach = {op.cache.begin, op.cache.end - op.cache.begin, 0};
  }
  const u32* low = op.addressWords ? source(warp, op.sources[0]) : nullptr;
  const DirectAddress address{low, op.addressWords == 2 ? low + lanes_ : nullptr, op.offset, op.wraps};
  if (op.handler == Handler::load) return op.direct(address, reach, registers(warp, op.destinations[0]));
  if (op.mayRace && !warp.mayStore) return false;
  if (!op.direct(address, reach, const_cast<u32*>(source(warp, op.sources[1])))) return false;
  ++changes_;
  return true;
}

// A warp's first turn after the block's start, or after a barrier, ends before a store to global memory that other warps may make too. So
// the warps of a block that read what they then overwrite, without order among them, all read the old value, as they do on a GPU, where
// they run side by side.
template <bool kIssueEvents>
void Machine::runWarp(Block& block, Warp& warp) {
  warp.tree.forgetPolls();
  s64 budget = kTurn;
  while (budget > 0) {
    Path* path = independent() ? warp.tree.selectBusy() : warp.tree.select();
    if (!path || path->polling) break;
    const s64 before = budget;
    const bool mayStore = warp.mayStore;
    budget = runPath<kIssueEvents>(block, warp, *path, budget);
    instructions_ += static_cast<u64>(before - budget);
    if (warp.mayStore != mayStore) return;
  }
  if (!independent()) return;
  if (warp.tree.paths().size() < 2) return;
  if (Path* path = warp.tree.select()) warp.tree.yield(*path);
}

template void Machine::runWarp<false>(Block&, Warp&);
template void Machine::runWarp<true>(Block&, Warp&);

// Runs a path until it ends, waits, forks or polls in vain, or the budget is spent; gives what is left of it. Straight runs of
// instructions are counted, and paid from the budget, as a whole when control leaves them.
template <bool kIssueEvents>
s64 Machine::runPath(Block& block, Warp& warp, Path& path, s64 budget) {
  Op* const ops = kernel_.ops();
  const u32 first = kernel_.first();
  const LaneState& state = warp.state;
  const LaneMask* const predicates = warp.predicates.data();
  const LaneMask active = path.mask;
  const u64 activeLanes = u64{active.size()};
  const u64 given = instructions_ + static_cast<u64>(budget);
  const u32 meeting = warp.tree.meetingPoint(path);
  const Op* const last = meeting != kNoPc ? ops + (meeting - first) : nullptr;
  Op* op = ops + (path.pc - first);
  Op* begin = op;  // of the current run
  warp.polls = 0;

  const auto pcOf = [&](const Op* at) { return first + static_cast<u32>(at - ops); };
  const auto endRun = [&](const Op* end) {
    countRun(pcOf(begin), pcOf(end), activeLanes);
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
        if (endsFirstTurn({block, warp, path, *op, path.pc, active, executing, 0})) return endRun(op);
      }
    }
    if (executing != active) op->idleLanes += executing ? u64{(active ^ executing).size()} : activeLanes;
    if constexpr (kIssueEvents) {
      raiseIssue(block, warp, *op, pcOf(op), active, executing);
    }
    if (op->direct && executing == kWholeWarp && accessDirectly(block, warp, *op)) continue;
    if (op->function) {
      if (executing) {
        op->function(*op, state, executing);
        if constexpr (kIssueEvents) raiseResult(block.index, warp, *op, pcOf(op), executing);
      }
      continue;
    }
    if (op->handler == Handler::branch) {
      if (request_.observer) raiseBranch(block, warp, *op, pcOf(op), active, executing);
      if (executing == active) {
        endRun(op + 1);
        begin = ops + (op->target - first);
        if (budget <= 0) {
          path.pc = op->target;
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
      goesOn = controlAt(block, warp, path, *op, active, executing, given - static_cast<u64>(budget) + static_cast<u64>(op + 1 - begin));
    } catch (...) {
      endRun(op + 1);
      throw;
    }
    if (!goesOn) return endRun(op + 1);
  }
}

void Machine::raiseBranch(const Block& block, const Warp& warp, const Op& op, u32 pc, LaneMask active, LaneMask executing) const {
  const u32 targets = !executing.empty() && executing != active ? 2 : 1;
  request_.observer->branch({{block.index, warp.index}, pc, op.instruction, active, executing, targets});
}

// Out of line, so that the loop does not prepare for it.
[[gnu::noinline]] bool Machine::controlAt(Block& block, Warp& warp, Path& path, Op& op, LaneMask active, LaneMask executing, u64 now) {
  return control({block, warp, path, op, path.pc, active, executing, now});
}

// Everything but lane operations and uniform branches. True when the path goes straight on; otherwise it and the tree are up to date.
bool Machine::control(const Issue& issue) {
  const bool goesOn = execute(issue);
  if (issueEvents_) {
    const LaneMask written = writtenAtOnce(issue);
    if (written) raiseResult(issue.block.index, issue.warp, issue.op, issue.pc, written);
  }
  return goesOn;
}

bool Machine::execute(const Issue& issue) {
  switch (issue.op.handler) {
    case Handler::store:
      if (endsFirstTurn(issue)) {
        unissue(issue);
        return false;
      }
      access(issue);
      return true;
    case Handler::load:
    case Handler::atomic:
    case Handler::mbarrier:
      access(issue);
      if (!issue.op.polls || issue.warp.polls < request_.limits.pollsBeforeYield) return true;
      ++issue.path.pc;
      waitForOthers(issue);
      return false;
    case Handler::nothing:
      if (issue.block.races && !issue.warp.isHelper) noteFence(issue);
      return true;
    case Handler::prefetch:
      prefetch(issue);
      return true;
    case Handler::specialRegister:
      specialRegister(issue);
      return true;
    case Handler::activeMask:
      activeMask(issue);
      return true;
    case Handler::shuffle:
    case Handler::vote:
    case Handler::match:
    case Handler::reduce:
    case Handler::elect:
    case Handler::warpSync:
      return warpOperation(issue);
    case Handler::texture:
      textureFetch(issue);
      return true;
    case Handler::textureQuery:
      textureQuery(issue);
      return true;
    case Handler::surface:
      surfaceAccess(issue);
      return true;
    case Handler::matrix:
      matrixOperation(issue);
      return true;
    case Handler::copyAsync:
      copyAsync(issue);
      return true;
    case Handler::commitCopies:
      commitCopies(issue);
      return true;
    case Handler::waitForCopies:
      waitForCopies(issue);
      return true;
    case Handler::systemCall:
      systemCall(issue);
      return true;
    case Handler::sleep:
      ++issue.path.pc;
      waitForOthers(issue);
      return false;
    case Handler::barrierArrive:
      ++issue.path.pc;
      barrierArrive(issue);
      return false;
    case Handler::barrierSync:
    case Handler::barrierReduce:
      barrierSync(issue);
      return false;
    case Handler::branch:
      branch(issue);
      return false;
    case Handler::branchIndexed:
      branchIndexed(issue);
      return false;
    case Handler::call:
      call(issue, issue.op.target);
      return false;
    case Handler::callIndirect:
      callIndirect(issue);
      return false;
    case Handler::ret:
      ++issue.path.pc;
      ret(issue);
      return false;
    case Handler::exit:
      ++issue.path.pc;
      exit(issue);
      return false;
    case Handler::trap:
      stop(issue, LaunchStatus::trap);
    case Handler::breakpoint:
      stop(issue, LaunchStatus::breakpoint);
    case Handler::undefined:
    case Handler::lane:
      undefinedCode(issue);
  }
  return false;
}

// The store is issued again in the warp's next turn. A store at which no two warps of the first block met ends no more turns.
bool Machine::endsFirstTurn(const Issue& issue) {
  if (separate_ || !issue.op.mayRace || issue.warp.mayStore) return false;
  issue.warp.mayStore = !hasNoRace(issue);
  return issue.warp.mayStore;
}

bool Machine::hasNoRace(const Issue& issue) {
  TriedStore& store = triedStores_.try_emplace(issue.pc, TriedStore{issue.block.index, {}, false}).first->second;
  if (store.races) return false;
  if (store.block == issue.block.index) {
    noteStore(store, issue);
    return false;
  }
  issue.op.mayRace = false;
  store.writers.clear();
  return true;
}

// Accesses of one instruction are equally long and aligned: they overlap where they begin at the same place.
void Machine::noteStore(TriedStore& store, const Issue& issue) const {
  const Op& op = issue.op;
  LaneAddresses addresses;
  const u32* low = op.addressWords ? source(issue.warp, op.sources[0]) : nullptr;
  addresses_(low, op.addressWords == 2 ? low + lanes_ : nullptr, op.offset, op.wraps, op.accessBytes(), issue.executing, addresses);
  for (const u32 lane : issue.executing) {
    const u64 address = addresses.lane[lane];
    store.races |= store.writers.try_emplace(address, issue.warp.index).first->second != issue.warp.index;
  }
}

// The path reads the same again and again: other paths get a turn first.
void Machine::waitForOthers(const Issue& issue) {
  Warp& warp = issue.warp;
  warp.polls = 0;
  // Stepped warps with a stack have no other path to run.
  if (separate_ && !independent()) return;
  issue.path.polling = true;
  if (separate_ && ++warp.yields >= kYieldsBeforeRelease) {
    warp.yields = 0;
    releaseWaiting(warp);
  } else if (eagerPoints_) {
    warp.tree.releaseWaiting([&](u32 point) { return kernel_.at(point).eager; });
  }
}

// Lets go the lanes that wait for others of their warp at meeting points; the meeting points are remembered, so that lanes wait there no
// longer for lanes that poll.
bool Machine::releaseWaiting(Warp& warp) {
  const bool any = warp.tree.releaseWaiting([&](u32 point) {
    kernel_.at(point).eager = true;
    return true;
  });
  eagerPoints_ |= any;
  return any;
}

}  // namespace warpwright::exec
