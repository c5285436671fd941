// One warp instruction at a time, and global memory as one SM of several sees it: see stepper.hpp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/lane_count.hpp"
#include "exec/machine.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

constexpr u32 kMostAccessBytes = 16;

bool isAtomic(const Op& op) { return op.handler == Handler::atomic || op.handler == Handler::mbarrier; }

bool isSerial(const Op& op) {
  if (op.handler == Handler::systemCall) return true;
  return op.handler == Handler::surface && op.instruction->opcode != isa::Opcode::suld;
}

// Control flow that other warps of the block may have waited for.
bool mayReleaseOthers(Handler handler) {
  return handler == Handler::exit || handler == Handler::ret || handler == Handler::barrierSync || handler == Handler::barrierReduce ||
         handler == Handler::barrierArrive;
}

}  // namespace

void Machine::startBlock(u32 place, u64 index, u32 sm) {
  while (blocks_.size() <= place) addPlace(static_cast<u32>(blocks_.size()) * request_.limits.multiprocessors + sm);
  Block& block = *blocks_[place];
  block.start(index, request_.launch->grid, request_.launch->kernel->begin);
  occupied_[place] = true;
  if (block.races) block.races->startBlock(index);
  if (request_.observer) request_.observer->blockBegins(index);
}

bool Machine::endBlockIfFinished(u32 place) {
  if (!occupied_[place]) return true;
  if (blocks_[place]->liveThreads != 0) return false;
  finish(*blocks_[place], place);
  return true;
}

inline Path* Machine::nextPath(Warp& warp) {
  Path* const path = independent() ? warp.tree.selectBusy() : warp.tree.select();
  if (path && path->pc != PathTree::meetingPoint(*path)) [[likely]]
    return path;
  return nextPathBehindMeetings(warp);
}

Path* Machine::nextPathBehindMeetings(Warp& warp) {
  PathTree& tree = warp.tree;
  for (;;) {
    Path* path = independent() ? tree.selectBusy() : tree.select();
    if (!path && independent() && tree.hasReady()) {
      tree.forgetPolls();
      path = tree.selectBusy();
    }
    if (!path && awaitNobody(warp)) continue;
    if (!path) return nullptr;
    const u32 meeting = tree.meetingPoint(*path);
    if (meeting == kNoPc || path->pc != meeting) return path;
    tree.arrive(*path);
  }
}

NextInstruction Machine::nextInstruction(u32 place, u32 index) { return nextInstruction(blocks_[place]->warps[index]); }
NextInstruction Machine::nextApart(Helper& helper) { return nextInstruction(helper.warp); }

[[gnu::always_inline]] inline NextInstruction Machine::nextInstruction(Warp& warp) {
  if (warp.tree.finished()) return {};
  const Path* path = nextPath(warp);
  if (path) return {isSerial(kernel_.at(path->pc)) ? WarpState::serial : WarpState::ready, path->pc};
  if (warp.tree.finished()) return {};
  const auto paths = warp.tree.paths();
  const bool awaitsLanes =
      std::any_of(paths.begin(), paths.end(), [](const Path& each) { return each.state == PathState::atWarpOperation; });
  return {awaitsLanes ? WarpState::lanes : WarpState::barrier, 0};
}

// Lets other paths of a diverged warp run after a turn.
void Machine::shareWarp(Warp& warp) const {
  if (warp.tree.paths().size() < 2 || ++warp.turn < request_.limits.pathTurn) return;
  warp.turn = 0;
  if (Path* path = warp.tree.selectBusy()) warp.tree.yield(*path);
  warp.tree.forgetPolls();
}

void Machine::step(u32 place, u32 index, u64 now, StepRecorder& recorder) {
  Block& block = *blocks_[place];
  step(block, block.warps[index], now, recorder);
}
void Machine::stepApart(Helper& helper, u64 now, StepRecorder& recorder) { step(*helper.block, helper.warp, now, recorder); }

[[gnu::always_inline]] inline void Machine::step(Block& block, Warp& warp, u64 now, StepRecorder& recorder) {
  Path& path = *nextPath(warp);
  const u32 pc = path.pc;
  Op& op = kernel_.at(pc);
  const LaneMask active = path.mask;
  const LaneMask executing = active & (warp.predicates[op.guardIndex] ^ op.guardFlip);
  StepRecord& record = recorder.begin(pc, op.instruction, active, executing);
  InstructionCount& count = result_.counts[pc];
  const u64 activeLanes = countLanes(active);
  ++count.warps;
  count.lanes += executing == active ? activeLanes : countLanes(executing);
  count.active += activeLanes;
  ++instructions_;
  if (issueEvents_) raiseIssue(block, warp, op, pc, active, executing);
  if (op.function) {
    if (executing) op.function(op, warp.state, executing);
    if (executing && issueEvents_) raiseResult(block.index, warp, op, pc, executing);
    ++path.pc;
    return;
  }
  if (op.handler == Handler::branch) {
    const u32 targets = !executing.empty() && executing != active ? 2 : 1;
    recorder.branch({{block.index, warp.index}, pc, op.instruction, active, executing, targets});
    if (executing == active) {
      path.pc = op.target;
      record.jumped = op.target != pc + 1;
      if (independent()) shareWarp(warp);
      return;
    }
  }
  if (executing.empty() && op.handler != Handler::branchIndexed) {
    ++path.pc;
    return;
  }
  const u64 issued = count.warps;
  const Issue issue{block, warp, path, op, pc, active, executing, now};
  if (control(issue)) {
    if (record.awaitsAtomics) return;
    ++path.pc;
  } else {
    record.jumped = true;
    record.waits = count.warps < issued;
  }
  record.releasesOthers = mayReleaseOthers(op.handler);
  if (independent()) shareWarp(warp);
}

// The access at hand is an atomic whose result comes with performAtomic().
bool Machine::isDeferred() const { return separate_ && separate_->recorder->record().atomic; }

// What an atomic of this SM will change must not be read or written before: each thread sees its own effects in order.
bool Machine::awaitsAtomics(const Issue& issue, const LaneAddresses& addresses) {
  if (!separate_ || isAtomic(issue.op) || !separate_->atomics.mayTouch(addresses, issue.executing, issue.op.accessBytes())) return false;
  StepRecord& record = separate_->recorder->record();
  record.awaitsAtomics = record.waits = true;
  unissue(issue);
  return true;
}

void Machine::performSeparately(const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  if (op.handler == Handler::load) return loadPatched(issue, addresses, mask);
  if (op.handler == Handler::store) return storeBuffered(issue, addresses, mask);
  const u32 place = separate_->atomics.add();
  DeferredAtomic& atomic = separate_->atomics[place];
  atomic.op = &op;
  atomic.pc = issue.pc;
  atomic.block = issue.block.index;
  atomic.warp = &issue.warp;
  atomic.races = issue.block.races.get();
  atomic.mask = mask;
  atomic.addresses = addresses;
  const std::size_t words = std::size_t{lanes_} * ((op.accessBytes() + 3) / 4);
  std::copy_n(source(issue.warp, op.sources[1]), words, atomic.b.begin());
  if (op.sources[2].present) std::copy_n(source(issue.warp, op.sources[2]), words, atomic.c.begin());
  separate_->atomics.note(place);
  ++issue.warp.deferred;
  separate_->recorder->record().atomic = place;
}

void Machine::loadPatched(const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  u32* planes = registers(issue.warp, op.destinations[0]);
  // The address registers may be the destination: patches use the addresses, computed before.
  op.transfer(0, addresses, mask, op.elements, planes);
  if (separate_->stores.empty()) return;
  const u32 bytes = op.accessBytes();
  for (const u32 lane : mask) {
    alignas(16) std::array<std::byte, kMostAccessBytes> data;
    const u64 address = addresses.lane[lane];
    if (!separate_->stores.mayHold(address, bytes)) continue;
    std::memcpy(data.data(), GlobalMemory::hostPointer(address), bytes);
    if (!separate_->stores.patch(address, bytes, data.data())) continue;
    LaneAddresses one;
    one.lane[lane] = 0;
    op.transfer(reinterpret_cast<u64>(data.data()), one, LaneMask::of(lane), op.elements, planes);
  }
}

void Machine::storeBuffered(const Issue& issue, const LaneAddresses& addresses, LaneMask mask) {
  const Op& op = issue.op;
  const u32 bytes = op.accessBytes();
  u32* planes = const_cast<u32*>(source(issue.warp, op.sources[1]));
  // Gathered by the transfer function itself, as if memory were here: lane l's bytes at l * bytes.
  alignas(64) std::array<std::byte, kMostAccessBytes * kMaxWarpSize> data;
  LaneAddresses packed;
  for (u32 lane = 0; lane < lanes_; ++lane) packed.lane[lane] = u64{lane} * bytes;
  packed.consecutive = true;
  op.transfer(reinterpret_cast<u64>(data.data()), packed, mask, op.elements, planes);
  bool isNew = false;
  for (const u32 lane : mask) {
    if (isNew) break;
    std::array<std::byte, kMostAccessBytes> old;
    std::memcpy(old.data(), GlobalMemory::hostPointer(addresses.lane[lane]), bytes);
    separate_->stores.patch(addresses.lane[lane], bytes, old.data());
    isNew = std::memcmp(old.data(), data.data() + std::size_t{lane} * bytes, bytes) != 0;
  }
  changes_ += isNew;
  const auto store = [&](u32 lane, u32 lanes) {
    separate_->stores.store(addresses.lane[lane], lanes * bytes, data.data() + std::size_t{lane} * bytes);
  };
  for (LaneMask rest = mask; rest;) {
    const u32 lane = rest.least();
    u32 lanes = 1;
    while (lane + lanes < lanes_ && rest.contains(lane + lanes) &&
           addresses.lane[lane + lanes] == addresses.lane[lane] + u64{lanes} * bytes)
      ++lanes;
    store(lane, lanes);
    rest -= LaneMask::range(lane, lanes);
  }
}

void Machine::performAtomic(u32 place) {
  const DeferredAtomic& atomic = separate_->atomics[place];
  const Op& op = *atomic.op;
  const u32* c = op.sources[2].present ? atomic.c.data() : nullptr;
  u32* result = op.destinations[0].present ? registers(*atomic.warp, op.destinations[0]) : nullptr;
  const bool changed = op.atomic(0, atomic.addresses, atomic.mask, atomic.b.data(), c, result, lanes_);
  changes_ += changed;
  if (changed) atomic.warp->hearNews();
  notePoll(atomic.block, *atomic.warp, op, atomic.mask, atomic.addresses);
  --atomic.warp->deferred;
  if (memory_.tracksInitialisation()) {
    for (const u32 lane : atomic.mask) memory_.markInitialised(atomic.addresses.lane[lane], op.accessBytes());
  }
  if (atomic.races) {
    for (const u32 lane : atomic.mask) atomic.races->acquire(atomic.warp->index, atomic.addresses.lane[lane]);
  }
  if (issueEvents_) raiseResult(atomic.block, *atomic.warp, op, atomic.pc, atomic.mask);
  separate_->atomics.remove(place);
}

struct Stepper::State {
  State(const LaunchRequest& original, GlobalMemory& memory, u32 number, u64 clockKhz)
      : request(original),
        recorder(original.observer),
        sm(number),
        machine((request.observer = &recorder, request), memory),
        globalMemory(memory) {
    separate.recorder = &recorder;
    machine.separate(separate, clockKhz);
  }

  LaunchRequest request;
  StepRecorder recorder;
  SeparateMemory separate;
  u32 sm;
  Machine machine;
  GlobalMemory& globalMemory;
  std::optional<StepFault> fault;
  bool watches = false;
  std::vector<WarpCircle> circles;  // by place, then warp; while it watches
};

Stepper::Stepper(const LaunchRequest& request, GlobalMemory& memory, u32 sm, u64 clockKhz)
    : state_(std::make_unique<State>(request, memory, sm, clockKhz)) {}
Stepper::~Stepper() = default;

u32 Stepper::warpsPerBlock() const { return state_->machine.warpsPerBlock(); }
void Stepper::start(u32 place, u64 block) { state_->machine.startBlock(place, block, state_->sm); }
bool Stepper::isFinished(u32 place) const { return state_->machine.endBlockIfFinished(place); }
NextInstruction Stepper::next(u32 place, u32 warp) { return state_->machine.nextInstruction(place, warp); }
const std::optional<StepFault>& Stepper::fault() const { return state_->fault; }
std::string Stepper::whereThreadsWait() const { return state_->machine.whereThreadsWait(); }
bool Stepper::hasStores() const { return !state_->separate.stores.empty(); }
void Stepper::publishStores() { state_->separate.stores.publish(state_->globalMemory); }
void Stepper::performAtomic(u32 atomic) { state_->machine.performAtomic(atomic); }

const StepRecord* Stepper::step(u32 place, u32 warp, Cycle now) {
  try {
    state_->machine.step(place, warp, now.ticks, state_->recorder);
  } catch (Fault& fault) {
    state_->fault = StepFault{fault.status, std::move(fault.message)};
    return nullptr;
  }
  StepRecord& record = state_->recorder.record();
  record.next = state_->machine.nextInstruction(place, warp);
  if (state_->watches) [[unlikely]] {
    const std::size_t number = std::size_t{place} * warpsPerBlock() + warp;
    if (number >= state_->circles.size()) state_->circles.resize(number + 1);
    state_->machine.follow(place, warp, record, state_->circles[number]);
  }
  return &record;
}

std::optional<u32> Stepper::beginHelper(u32 place, u32 warp, const isa::Function& routine, LaneMask lanes, bool speculative) {
  return state_->machine.beginHelper(place, warp, routine, lanes, speculative);
}
void Stepper::copyRegister(u32 helper, u32 parentRegister, u32 helperRegister, bool in) {
  state_->machine.copyRegister(helper, parentRegister, helperRegister, in);
}
NextInstruction Stepper::nextHelper(u32 helper) { return state_->machine.nextHelperInstruction(helper); }
void Stepper::endHelper(u32 helper) { state_->machine.endHelper(helper); }

const StepRecord* Stepper::stepHelper(u32 helper, Cycle now) {
  Machine& machine = state_->machine;
  try {
    machine.stepHelper(helper, now.ticks, state_->recorder);
  } catch (Fault& fault) {
    if (!machine.failsQuietly(helper)) {
      state_->fault = StepFault{fault.status, std::move(fault.message)};
      return nullptr;
    }
    machine.abandonHelper(helper);
  }
  StepRecord& record = state_->recorder.record();
  record.releasesOthers = false;
  record.next = machine.nextHelperInstruction(helper);
  return &record;
}

u64 Stepper::changes() const { return state_->machine.changes(); }

void Stepper::watch(bool on) {
  state_->watches = on;
  for (WarpCircle& circle : state_->circles) circle.forget();
}

bool Stepper::isStuck() const { return state_->machine.isStuck(state_->circles); }
bool Stepper::releaseWaiting() { return state_->machine.releaseWaiting(); }

LaunchResult Stepper::result() {
  LaunchResult result = state_->machine.settledResult();
  if (state_->fault) {
    result.status = state_->fault->status;
    result.message = state_->fault->message;
  }
  return result;
}

}  // namespace warpwright::exec
