// Scheduling and issue: which warp, what it waits for otherwise, and how an instruction's timing begins.
#include <algorithm>

#include "base/lane_count.hpp"
#include "sm/sm.hpp"

namespace warpwright::sm {
namespace {

// Others only arrive, or exit.
bool waitsAtBarrier(const isa::Instruction& instruction) {
  return instruction.opcode == isa::Opcode::bar_sync || instruction.opcode == isa::Opcode::bar_red;
}

}  // namespace

// What the warp would do next, after something may have changed it.
void Sm::refresh(SlotId slot) {
  const Warp& warp = warps_[slot];
  if (warp.ahead.count != 0) return evaluate(slot);  // nothing changes what is executed already
  proceed(slot, warp.block->running->source->next(warp.block->slot, warp.index));
}

void Sm::proceed(SlotId slot, const exec::NextInstruction& next) {
  Warp& warp = warps_[slot];
  states_.canRun.set(slot, next.state == exec::WarpState::ready);
  states_.serial.set(slot, next.state == exec::WarpState::serial);
  if (next.state == exec::WarpState::finished) {
    states_.resident.set(slot, false);
    noteWarpEnd(*warp.block);
    fetch_.stop(slot);
    if (warp.info) needs_.unit[static_cast<u32>(warp.info->unit)].set(slot, false);
    warp.info = nullptr;
    if (helpers_) helpers_->finished(slot, clock_);
    return;
  }
  if (next.state != exec::WarpState::ready && next.state != exec::WarpState::serial) return;
  const RunningLaunch& running = *warp.block->running;
  if (next.pc != warp.fetchPc) {
    warp.fetchPc = next.pc;
    fetch_.redirect(slot, codeAddress(*running.plan, next.pc));
  }
  next_[slot].pc = next.pc;
  const InstructionInfo& info = running.plan->info.at(next.pc);
  if (&info != warp.info) {
    noteNeeds(slot, warp.info, info);
    warp.info = &info;
  }
  evaluate(slot);
}

void Sm::noteNeeds(SlotId slot, const InstructionInfo* before, const InstructionInfo& info) {
  if (before) needs_.unit[static_cast<u32>(before->unit)].set(slot, false);
  needs_.unit[static_cast<u32>(info.unit)].set(slot, true);
  needs_.memory.set(slot, info.flow == Flow::memory);
  needs_.pipe.set(slot, info.flow == Flow::memory || info.flow == Flow::compute);
}

void Sm::refreshBlock(Resident& block) {
  for (const SlotId slot : block.slots& states_.resident) refresh(slot);
  finishBlockIfDone(block);
}

// Hazards of the next instruction.
void Sm::evaluate(SlotId slot) {
  const Warp& warp = warps_[slot];
  if (!warp.info) return;
  const InstructionInfo& info = *warp.info;
  const bool awaitsProducts = info.role == ProductRole::wait && !warp.products.isDone(info.groupsLeft);
  if (info.control.areSet()) {
    const bool awaitsCounters = counters_->mustWait(slot, info.control);
    states_.hazard.set(slot, awaitsProducts || awaitsCounters);
    states_.hazardMemory.set(slot, awaitsCounters && counters_->awaitsMemory(slot, info.control));
  } else {
    const bool hazard = awaitsProducts || (warp.inFlight != 0 && (warp.pending.intersects(info.touched) || warp.guards.awaits(info.guard)));
    states_.hazard.set(slot, hazard);
    // What memory operations will write is a part of what is pending.
    states_.hazardMemory.set(slot, hazard && warp.pendingMemory.intersects(info.touched));
  }
  states_.fenced.set(slot, info.flow == Flow::fence && !mayPassFence(slot));
}

bool Sm::mayPassFence(SlotId slot) {
  const Warp& warp = warps_[slot];
  return warp.outstanding == (warp.info->awaitsStores ? 0 : warp.stores) &&
         allStages([&](auto& stage) { return stage.mayPassFence(slot); });
}

// Warps whose next instruction the pipeline would not take.
inline WarpSet Sm::blockedStructurally(Cycle now) const {
  return pipeline_->closed() ? states_.resident : pipeline_->refused(needs_, now) | (states_.accessing & needs_.memory);
}

inline void Sm::noteStall(Scheduler& scheduler, u32 slots, Cycle now) {
  WarpSet waiting;
  scheduler.reason = reasonOf(scheduler, waiting, now);
  stats_.slots[scheduler.reason] += slots;
  scheduler.charged = nullptr;
  if (!options_.lines || waiting.empty()) return;
  const SlotId slot = waiting.least();
  scheduler.charged = &warps_[slot].block->running->stalls[next_[slot].pc];
  (*scheduler.charged)[scheduler.reason] += slots;
}

template <bool kHelpers>
bool Sm::schedule(Cycle now) {
  bool issuedAny = false;
  for (Scheduler& scheduler : schedulers_) {
    if (scheduler.slots & states_.expanding) {
      noteStall(scheduler, machine_.sm.issueWidth, now);
      continue;
    }
    SlotId same = kNoWarp;
    for (u32 position = 0; position < machine_.sm.issueWidth; ++position) {
      const WarpSet ready = states_.canRun & scheduler.slots & fetch_.available() & ~states_.kept();
      WarpSet candidates = ready ? ready & ~blockedStructurally(now) : WarpSet{};
      const WarpSet assisted = kHelpers ? readyHelpers(scheduler.slots, now) : WarpSet{};
      candidates |= assisted;
      SlotId slot = kNoWarp;
      if (candidates && position == 0)
        slot = scheduler.policy->pick(
            {candidates, states_.resident & scheduler.slots, states_.waitingLong(), states_.inFlight, needs_.memory, now, age_, next_});
      if (position != 0 && same != kNoWarp && candidates.contains(same)) slot = same;
      if (slot == kNoWarp) {
        if (kHelpers && issueIdle(scheduler, position, now)) {
          if (fault_) return true;
          issuedAny = true;
          continue;
        }
        noteStall(scheduler, machine_.sm.issueWidth - position, now);
        break;
      }
      scheduler.policy->issued(slot);
      if constexpr (kHelpers) scheduler.wasIdle = false;
      issuedAny = true;
      same = slot;
      if (kHelpers && assisted.contains(slot)) {
        issueHelper(pickHelper(WarpSet::of(slot), HelperPriority::high, now), now);
      } else {
        ++stats_.slots[Slot::issued];
        issue(slot, now);
      }
      if (fault_) return true;
    }
  }
  return issuedAny;
}

template bool Sm::schedule<false>(Cycle now);
template bool Sm::schedule<true>(Cycle now);

// Why a scheduler issued nothing, and the warps that it was for. The reasons are asked in the order in which something could be done about
// them: a warp that could issue but for a unit first, one without anything left to do last.
inline Slot Sm::reasonOf(const Scheduler& scheduler, WarpSet& waiting, Cycle now) const {
  const WarpSet mine = states_.resident & scheduler.slots;
  if (mine.empty()) return Slot::noWarp;
  const WarpSet fetched = mine & states_.canRun & fetch_.available() & ~(states_.blocked | states_.openBarrier);
  const WarpSet ready = fetched & ~(states_.hazard | states_.late | states_.fenced | states_.fencing | states_.orderWait | states_.held |
                                    states_.awaitStages);
  if (const std::optional<Slot> closed = pipeline_->closed()) {
    if (*closed != Slot::subWarps) waiting = ready ? ready : mine;
    return *closed;
  }
  if (ready) {
    waiting = ready & states_.expanding;
    if (waiting) return Slot::computeStructural;
    const WarpSet blocked = ready & blockedStructurally(now);
    waiting = blocked & needs_.memory;
    if (waiting && !loadStore_.canAccept()) return Slot::memoryStructural;
    waiting = blocked & (pipeline_->awaitPlace(needs_, now) | (states_.accessing & needs_.memory));
    if (waiting) return Slot::memoryStructural;
    waiting = blocked;
    if (waiting) return Slot::computeStructural;
    waiting = scheduler.policy->heldBack();
    if (waiting) return Slot::heldBack;
    waiting = ready;  // not of the policy's choice: strict barrel processing, an inactive set
    return waiting & states_.hazardMemory ? Slot::memoryDependence : Slot::computeDependence;
  }
  waiting = fetched & (states_.hazardMemory | states_.orderWait);
  if (waiting) return Slot::memoryDependence;
  waiting = fetched & (states_.hazard | states_.late);
  if (waiting) return Slot::computeDependence;
  waiting = fetched & states_.held;
  if (waiting) return reasonOfHeld(waiting);
  waiting = fetched & (states_.fenced | states_.fencing | states_.awaitStages);
  if (waiting) return Slot::fence;
  waiting = mine & (states_.canRun | states_.serial) & ~states_.openBarrier;
  if (waiting) return Slot::fetch;
  waiting = mine;
  return Slot::barrier;
}

void Sm::issue(SlotId slot, Cycle now) {
  Warp& warp = warps_[slot];
  if (warp.ahead.count != 0) return issueExecuted(slot, now);
  Resident& block = *warp.block;
  const exec::StepRecord* record = block.running->source->step(block.slot, warp.index, now);
  if (!record) return atFault(slot, *block.running->source->fault(), now);
  if (record->waits) {
    ++stats_.replays;
    if (record->awaitsAtomics) states_.orderWait.insert(slot);
    return proceed(slot, record->next);
  }
  startTiming(slot, *record, now);
  if (helpers_) helpers_->issued(slot, *record, *block.running->plan, now);
  fetch_.consume(slot);
  ++warp.fetchPc;
  warp.ahead = record->ahead;
  if (record->barrierOpened) return barrierOpened(slot, *record, now);
  if (record->releasesOthers) return refreshBlock(block);
  proceed(slot, record->next);
}

// The next of the instructions that were executed ahead.
void Sm::issueExecuted(SlotId slot, Cycle now) {
  Warp& warp = warps_[slot];
  straight_.pc = next_[slot].pc;
  straight_.instruction = warp.info->instruction;
  straight_.active = straight_.executing = warp.ahead.lanes;
  startTiming(slot, straight_, now);
  fetch_.consume(slot);
  ++warp.fetchPc;
  proceed(slot, --warp.ahead.count == 0 ? warp.ahead.behind : exec::NextInstruction{exec::WarpState::ready, warp.fetchPc});
}

// The launch stops, unless helpers have something to do before.
void Sm::atFault(SlotId slot, const exec::StepFault& fault, Cycle now) {
  const LaunchPlan& plan = *warps_[slot].block->running->plan;
  if (helpers_ && helpers_->faulted({slot, next_[slot].pc, plan, fault}, now)) {
    faultsPutOff_.insert_or_assign(slot, fault);
    return noteHeld(slot);
  }
  fault_ = fault;
  faultTime_ = now;
}

// The warp's instruction has opened it.
void Sm::barrierOpened(SlotId slot, const exec::StepRecord& record, Cycle now) {
  Resident& block = *warps_[slot].block;
  noteBarrier(block, now);
  WarpSet waited = block.slots & states_.resident & ~(states_.canRun | states_.serial);
  if (waitsAtBarrier(*record.instruction)) waited.insert(slot);
  refreshBlock(block);
  letGo(waited & (states_.canRun | states_.serial), now);
}

// One after the other, from when the barrier is open.
void Sm::letGo(WarpSet released, Cycle now) {
  Cycle goesOn = now + machine_.sm.barrierLatency;
  for (const SlotId slot : released) {
    if (goesOn > now) {
      states_.openBarrier.insert(slot);
      warps_[slot].goesOn = goesOn;
      events_.add(goesOn, {.kind = Event::Kind::letGo, .context = {slot, Context::kParent}});
    }
    goesOn += machine_.sm.barrierInterval;
  }
}

void Sm::noteBarrier(Resident& block, Cycle now) {
  if (block.unexpanded == 0) return tellBarrier(block, now);
  block.barrierOpened = true;
  states_.awaitStages |= block.slots;
}

void Sm::tellBarrier(const Resident& block, Cycle now) {
  for (const auto& stage : ports_.stages()) {
    stage->barrierOpens(block.slots.least(), now);
    states_.awaitStages |= stage->held();
  }
  if (ports_.hasStages()) ports_.wake();
}

void Sm::tellIssued(Context context, const exec::StepRecord& record, Cycle now) const {
  const Warp& warp = warps_[context.slot];
  const RunningLaunch& running = *warp.block->running;
  options_.listener->issued({number_, issued_, context.slot, warp.index, warp.block->number, running.plan->id, record.pc,
                             record.instruction, record.active, record.executing, context.helper},
                            now);
}

void Sm::startTiming(SlotId slot, const exec::StepRecord& record, Cycle now) {
  Warp& warp = warps_[slot];
  const InstructionInfo& info = *warp.info;
  const Context context{slot, Context::kParent};
  const u32 lanes = countLanes(record.executing);
  ++stats_.warpInstructions;
  stats_.threadInstructions += lanes;
  stats_.add(info.work, lanes);
  ++warp.inFlight;
  states_.inFlight.insert(slot);
  warp.pending |= info.written;
  ++issued_;
  if (options_.listener) tellIssued(context, record, now);
  if (info.flow == Flow::branch) states_.blocked.insert(slot);
  if (info.fenceLatency > 1) {
    states_.fencing.insert(slot);
    events_.add(now + info.fenceLatency, {.kind = Event::Kind::fencePassed, .context = context});
  }
  if (info.issues > 1) {
    states_.expanding |= schedulerOf(slot).slots;
    events_.add(now + info.issues, {.kind = Event::Kind::expanded, .context = context});
  }
  if (keepsDistances_) spaceOut(slot, info, now);
  if (info.role == ProductRole::product) warp.products.begin();
  if (info.role == ProductRole::commit && !record.executing.empty()) warp.products.commit();
  MemoryOperation* operation = nullptr;
  // Others access nothing if no lane executes them, as hints do.
  if (info.flow == Flow::memory && (record.accessCount != 0 || (info.takesBanks && record.executing.empty()))) {
    operation = &prepareMemory(context, info, record, now);
    if (!operation->isStore) warp.pendingMemory |= info.written;
    if (!operation->isPrefetch) ++warp.outstanding;
    warp.stores += operation->isStore;
    policyOf(slot).accessIssued(*operation);
  }
  const Issued issued{context, issued_, &info, operation, warp.block->running->plan};
  pipeline_->issue(issued, now);
  if (info.control.areSet()) obeyControlBits(issued, now);
  if (!record.bulk.empty()) [[unlikely]]
    beginBulk(slot, record, now);
}

void Sm::beginBulk(SlotId slot, const exec::StepRecord& record, Cycle now) {
  Resident& block = *warps_[slot].block;
  mem::Origin origin = next_[slot];
  origin.pc = record.pc;
  for (const exec::BulkRecord& copy : record.bulk) {
    const u32 id = ports_.bulkEngine().begin(copy, origin, now);
    if (id >= bulkOrders_.size()) bulkOrders_.resize(id + 1);
    bulkOrders_[id] = {&block, copy.number};
    ++block.outstanding;
  }
}

// Counters go up a cycle after the issue, when the warp has issued its next instruction if it could. One that may not issue then cannot see
// it, and they may go up at once. A stall stands still while its instruction is held, as the result comes later by as much.
void Sm::obeyControlBits(const Issued& instruction, Cycle now) {
  const isa::ControlBits& bits = instruction.info->control;
  const SlotId slot = instruction.context.slot;
  const bool isMemory = instruction.operation != nullptr;
  const u32 distance = bits.distance() + pipeline_->held();
  if (bits.readCounter != isa::ControlBits::kNoCounter) ++warps_[slot].inFlight;
  if (distance > 1) {
    counters_->stall(slot, now + distance);
    counters_->count(slot, bits, isMemory);
    events_.add(now + distance, {Event::Kind::stallEnds, false, instruction.context});
  } else if (bits.counts()) {
    events_.add(now + 2, {Event::Kind::counted, isMemory, instruction.context, instruction.info});
  }
}

MemoryOperation& Sm::prepareMemory(Context context, const InstructionInfo& info, const exec::StepRecord& record, Cycle now) {
  Resident& block = *warps_[context.slot].block;
  MemoryOperation& operation = loadStore_.prepare();
  operation.context = context;
  operation.origin = next_[context.slot];
  operation.origin.pc = record.pc;
  operation.number = issued_;
  operation.info = &info;
  operation.plan = block.running->plan;
  operation.issued = now;
  operation.isStore = info.writeCount == 0 && info.written.empty();
  operation.atomic = record.atomic;
  operation.isRemote = record.isRemote;
  for (u32 rank = 0; record.isRemote && rank < operation.remoteBytes.size(); ++rank)
    operation.remoteBytes[rank] = static_cast<u16>(record.remoteLanes[rank] * record.accesses[0].bytes);
  LaneAccess access{.plan = operation.plan,
                    .origin = operation.origin,
                    .firstSlot = block.slots.least(),
                    .warp = warps_[context.slot].index,
                    .valueLanes = exec::layoutLanes(machine_.warpSize)};
  if (record.accessCount == 0) operation.sharedPasses = 1;
  for (u32 i = 0; i < record.accessCount; ++i) path_.begin(operation, access, *record.instruction, record.accesses[i]);
  if (operation.isExpanded()) {
    operation.noteAtomic();
  } else {
    ++block.unexpanded;
  }
  if (ports_.hasStages()) ports_.wake();
  ++block.outstanding;
  return operation;
}

}  // namespace warpwright::sm
