#include "sm/sm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpwright::sm {

Sm::Sm(const config::Machine& machine, SmId number, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, const SmOptions& options)
    : Sm(machine, number, map, out, in, options, Parts(machine)) {}

Sm::Sm(const config::Machine& machine, SmId number, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, const SmOptions& options,
       const Parts& parts)
    : machine_(machine),
      number_(number),
      options_(options),
      keepsDistances_(machine.sm.guardLatency != 0 || machine.sm.warpMemoryInterval != 0 || machine.sm.otherPipeLatency != 0),
      launches_(parts.makeObservers),
      ports_(machine, number, map, out, in, options.skip),
      fetch_(machine, ports_, events_, options.listener),
      loadStore_(machine, ports_, *this),
      pipeline_(parts.pipeline.make({loadStore_, events_, options.listener})),
      banks_(machine, pipeline_->lanesTogether()),
      residency_(machine) {
  ports_.addStages(parts.laneStages, parts.lineStages, loadStore_);
  ports_.addArrivals(parts.arrivals.make());
  coalescers_ = std::make_unique<Coalescers>(machine, number, ports_.hasLineStages());
  for (LaneStage* stage : ports_.laneStages()) path_.add(*stage);
  path_.add(banks_);
  path_.add(*coalescers_);
  makeHelpers(parts);
  if (machine.sm.dependences == config::Dependences::controlBits) counters_ = std::make_unique<DependenceCounters>();
  if (options.lines) {
    ports_.countByOrigin();
    loadStore_.countByOrigin();
    fetch_.countByOrigin();
    pipeline_->countByOrigin();
  }
  schedulers_.resize(machine.schedulersPerSm);
  for (u32 first = 0; first < schedulers_.size(); ++first) {
    schedulers_[first].policy = parts.scheduler.make(first);
    for (u32 slot = first; slot < machine.warpsPerSm; slot += machine.schedulersPerSm) schedulers_[first].slots.insert(slot);
    if (schedulers_[first].policy->followsCache() && ports_.dataCache()) ports_.dataCache()->follow(this);
  }
}

void Sm::run(Cycle from, Cycle until) {
  if (fault_) return;
  catchUp(from);
  bool progressed = true;
  for (Cycle now = from; now < until && !fault_; ++now) {
    progressed = cycle(now);
    accounted_ = now + 1;
    if (progressed || !options_.skip) continue;
    const Cycle next = nextEvent(now + 1);
    if (next <= now + 1) continue;
    const Cycle stop = std::min(next, until);
    charge(stop - (now + 1));
    accounted_ = stop;
    now = Cycle{stop.ticks - 1};
  }
  // After a cycle with progress the schedulers have yet to say what they wait for now.
  wake_ = progressed ? until : kNever;
  noteOutcome();
}

void Sm::noteOutcome() {
  outcome_.hasStores = launches_.haveStores();
  outcome_.hasRemote = launches_.haveRemote() || !loadStore_.remoteMessages().empty();
  outcome_.hasFinished = launches_.haveFinishedBlocks();
  outcome_.hasSerial = !states_.serial.empty();
  outcome_.hasFault = fault_.has_value();
  outcome_.instructions = stats_.warpInstructions;
  outcome_.changes = launches_.changes();
}

Cycle Sm::nextUseful() const { return fault_ ? kNever : std::min(wake_, nextEvent(accounted_)); }

// One cycle, from the end of the pipeline to its beginning. False: nothing moved, and nothing will before nextEvent().
bool Sm::cycle(Cycle now) {
  clock_ = now;
  bool progressed = handleEvents(now);
  progressed |= ports_.tick(now);
  if (ports_.hasStages()) followStages();
  if (ports_.hasAnswers()) progressed |= handleAnswers(now);
  if (!remoteAnswers_.empty()) progressed |= handleRemoteAnswers(now);
  if (ports_.bulkEngine().hasNews()) progressed |= handleBulkNews(now);
  progressed |= pipeline_->tick(now);
  progressed |= helpers_ ? scheduleWithHelpers(now) : schedule<false>(now);
  progressed |= fetch_.tick(now);
  countResidents(1);
  return progressed;
}

// Fences, and blocks that have ended, may wait for stages.
void Sm::followStages() {
  states_.awaitStages.clear();
  for (const auto& stage : ports_.stages()) states_.awaitStages |= stage->held();
  for (const auto& block : residents_)
    if (block->barrierOpened) states_.awaitStages |= block->slots;
  for (const SlotId slot : states_.fenced) evaluate(slot);
  for (const auto& block : residents_) finishBlockIfDone(*block);
}

bool Sm::handleEvents(Cycle now) {
  return events_.take(now, [&](const Event& event) { handle(event, now); });
}

inline void Sm::handle(const Event& event, Cycle now) {
  const SlotId slot = event.context.slot;
  switch (event.kind) {
    case Event::Kind::release:
    case Event::Kind::unblock:
      return resultsThere(event, now);
    case Event::Kind::fetched:
      return fetch_.arrived(event.fetch(), now);
    case Event::Kind::lineFetched:
      return fetch_.answered(event.fetch(), now);
    case Event::Kind::served:
      return policyOf(slot).accessServed(slot, *event.info, event.stageCycles());
    case Event::Kind::guardSeen:
      return guardSeen(event);
    case Event::Kind::accessEnds:
      return states_.accessing.erase(slot);
    case Event::Kind::letGo:
      if (warps_[slot].goesOn <= now) states_.openBarrier.erase(slot);
      return;
    case Event::Kind::fencePassed:
      return states_.fencing.erase(slot);
    case Event::Kind::resultIsLate:
      return states_.late.erase(slot);
    case Event::Kind::expanded:
      states_.expanding -= schedulerOf(slot).slots;
      return;
    case Event::Kind::clusterOpens:
      return openClusterBarriers(now);
    case Event::Kind::bulkRead:
      return bulkRead(event.bulk());
    case Event::Kind::bulkDone:
      return bulkDone(event.bulk(), now);
    case Event::Kind::stallEnds:
    case Event::Kind::counted:
    case Event::Kind::operandsRead:
      return controlEvent(event, now);
  }
}

inline void Sm::resultsThere(const Event& event, Cycle now) {
  if (options_.listener) options_.listener->completed(event.instruction(), now);
  if (event.context.isHelper()) return helperEvent(event, now);
  const SlotId slot = event.context.slot;
  const InstructionInfo& info = *event.info;
  Warp& warp = warps_[slot];
  warp.pending -= info.written;
  if (info.role == ProductRole::product) warp.products.end();
  if (event.isMemory) warp.pendingMemory -= info.written;
  if (event.kind == Event::Kind::unblock) states_.blocked.erase(slot);
  if (keepsDistances_) noteLateResult(event, now);
  if (counters_) counters_->written(slot, info.control, event.isMemory);
  if (--warp.inFlight == 0) states_.inFlight.erase(slot);
  if ((states_.hazard | states_.fenced).contains(slot)) evaluate(slot);
  if (warp.block && warp.inFlight == 0) finishBlockIfDone(*warp.block);
}

void Sm::controlEvent(const Event& event, Cycle now) {
  const SlotId slot = event.context.slot;
  if (event.kind == Event::Kind::stallEnds) counters_->stallEnds(slot, now);
  if (event.kind == Event::Kind::counted) counters_->count(slot, event.info->control, event.isMemory);
  if (event.kind == Event::Kind::operandsRead) {
    counters_->read(slot, event.info->control, event.isMemory);
    noteThrough(slot);
  }
  evaluate(slot);
}

// An instruction has nothing more to do, or to read, or to be waited for.
void Sm::noteThrough(SlotId slot) {
  Warp& warp = warps_[slot];
  if (--warp.inFlight != 0) return;
  states_.inFlight.erase(slot);
  if (warp.block) finishBlockIfDone(*warp.block);
}

bool Sm::handleAnswers(Cycle now) {
  for (const Answer& answer : ports_.takeAnswers()) {
    if (!answer.isFetch) {
      loadStore_.respond(answer.id, now);
      continue;
    }
    fetch_.answered(answer.id, now);
  }
  return true;
}

bool Sm::handleRemoteAnswers(Cycle now) {
  if (remoteAnswers_.top().at > now) return false;
  for (; !remoteAnswers_.empty() && remoteAnswers_.top().at <= now; remoteAnswers_.pop())
    loadStore_.respondRemote(remoteAnswers_.top().entry, now + 1);
  return true;
}

bool Sm::handleBulkNews(Cycle now) {
  for (const BulkEngine::News& news : ports_.bulkEngine().takeNews()) {
    Event event;
    event.kind = news.isRead ? Event::Kind::bulkRead : Event::Kind::bulkDone;
    event.value = news.id;
    events_.add(std::max(news.time, now + 1), event);
  }
  return true;
}

void Sm::bulkRead(u32 id) {
  const BulkOrder& order = bulkOrders_[id];
  order.block->running->source->bulkSourceRead(order.number);
  states_.orderWait.clear();
}

// Warps may have waited for the copy, and its block for its end.
void Sm::bulkDone(u32 id, Cycle now) {
  const BulkOrder order = bulkOrders_[id];
  exec::WarpSource& source = *order.block->running->source;
  if (!source.finishBulk(order.number, now.ticks)) {
    fault_ = source.fault();
    faultTime_ = now;
    return;
  }
  ports_.bulkEngine().release(id);
  states_.orderWait.clear();
  --order.block->outstanding;
  finishBlockIfDone(*order.block);
}

Cycle Sm::nextEvent(Cycle now) const {
  Cycle next = std::min(events_.next(now), ports_.nextUseful(now));
  if (!remoteAnswers_.empty()) next = std::min(next, std::max(now, remoteAnswers_.top().at));
  next = std::min(next, pipeline_->nextUseful(now));
  for (const Scheduler& scheduler : schedulers_) next = std::min(next, scheduler.policy->nextUseful(now));
  if (helpers_) next = std::min(next, helpersUseful(now));
  next = std::min(next, fetch_.nextUseful(now));
  if (states_.awaitTurn()) next = now;  // its turn comes when the quantum ends
  return next;
}

// So many cycles pass with what is there now.
inline void Sm::countResidents(u64 cycles) {
  stats_.cycles += cycles;
  stats_.residentWarpCycles += cycles * residentWarps_;
  stats_.activeCycles += residentWarps_ != 0 ? cycles : 0;
  stats_.drainCycles += residentWarps_ == 0 && endedBlocks_ != 0 ? cycles : 0;
  stats_.endedBlockCycles += cycles * endedBlocks_;
  stats_.memoryQueueCycles += cycles * loadStore_.queued();
}

// Cycles in which nothing moves: every scheduler goes on waiting for what it waited for.
void Sm::charge(u64 cycles) {
  countResidents(cycles);
  for (const Scheduler& scheduler : schedulers_) {
    stats_.slots[scheduler.reason] += cycles * machine_.sm.issueWidth;
    if (scheduler.charged) (*scheduler.charged)[scheduler.reason] += cycles * machine_.sm.issueWidth;
  }
}

void Sm::catchUp(Cycle now) {
  if (accounted_ >= now) return;
  charge(now - accounted_);
  accounted_ = now;
}

bool Sm::expand(MemoryOperation& operation, Cycle now) {
  if (!path_.expand(operation, now)) return false;
  operation.noteAtomic();
  Resident& block = *warps_[operation.context.slot].block;
  if (--block.unexpanded == 0 && std::exchange(block.barrierOpened, false)) tellBarrier(block, now);
  ports_.wake();
  return true;
}

void Sm::memorySent(const MemoryOperation& operation, Cycle now) {
  if (!operation.stage) pipeline_->memorySent(operation, now);
}

void Sm::memoryDone(const MemoryOperation& operation, Cycle time) {
  if (operation.stage) {
    operation.stage->operationDone(operation, time);
    return ports_.wake();
  }
  if (options_.listener) options_.listener->memoryDone(operation.number, time);
  if (operation.context.isHelper()) return helperMemoryDone(operation, time);
  policyOf(operation.context.slot).accessAnswered(operation, time);
  Warp& warp = warps_[operation.context.slot];
  if (!operation.isPrefetch) --warp.outstanding;
  warp.stores -= operation.isStore;
  --warp.block->outstanding;
  if (operation.isStore) {
    evaluate(operation.context.slot);
    if (warp.inFlight == 0) finishBlockIfDone(*warp.block);
    return;
  }
  pipeline_->dataArrived(operation, time, accounted_);
}

// Of the data cache, where a scheduler asks for it. Cycles before `accounted_` have been simulated.
void Sm::accessed(const mem::Request& access, bool isHit) {
  if (access.origin.isKnown()) policyOf(SlotId{access.origin.slot}).cacheAccessed(access, isHit, accounted_);
}

void Sm::evicted(GlobalAddress address, const mem::Origin& whose) {
  if (whose.isKnown()) policyOf(SlotId{whose.slot}).lineEvicted(address, whose, accounted_);
}

// A block keeps its place until what its warps have stored is performed.
void Sm::noteWarpEnd(Resident& block) {
  --residentWarps_;
  if (residentWarps_ == 0) lastWarp_ = accounted_ + 1;
  if (block.slots & states_.resident) return;
  block.warpsEnded = true;
  ++endedBlocks_;
}

void Sm::finishBlockIfDone(Resident& block) {
  if ((block.slots & (states_.resident | states_.inFlight)) || block.outstanding || block.helpers || block.slots.empty()) return;
  RunningLaunch& running = *block.running;
  if (!running.source->isFinished(block.slot)) return;
  const SlotId first = block.slots.least();
  if (!allStages([&](auto& stage) { return stage.mayEnd(first); })) return;
  if (helpers_) helpers_->blockEnds({*running.plan, running.stepper->helperMemoryOf(block.slot)});
  running.source->clear(block.slot);
  for (const SlotId slot : block.slots) warps_[slot].block = nullptr;
  if (std::exchange(block.warpsEnded, false)) --endedBlocks_;
  running.resident.erase(block.slot);
  ++running.finished.count;
  running.finished.last = accounted_ + 1;
  ++stats_.blocks;
  residency_.giveBack(*running.plan, block.slots);
  block.slots.clear();
}

// --- between quanta

void Sm::atomicPerformed(u32 requestId, Cycle now) {
  MemoryOperation& operation = loadStore_.operation(MemoryPorts::ownId(requestId));
  if (--operation.atomicsLeft != 0) return;
  warps_[operation.context.slot].block->running->source->performAtomic(*operation.atomic);
  states_.orderWait.clear();
  for (HelperWarp& helper : helperWarps_) helper.awaitsAtomics = false;
  wake_ = std::min(wake_, now);
}

bool Sm::performRemote(RunningLaunch& launch, u32 number, Cycle now) {
  if (launch.stepper->performRemote(number)) return true;
  fault_ = *launch.stepper->fault();
  faultTime_ = now;
  noteOutcome();
  return false;
}

void Sm::openClusterBarrier(const LaunchPlan& plan, BlockSlotId slot, Cycle then) {
  const RunningLaunch& running = launches_.of(plan);
  const auto isIt = [&](const auto& each) { return each->running == &running && each->slot == slot && each->slots; };
  (*std::find_if(residents_.begin(), residents_.end(), isIt))->clusterOpens = then;
  events_.add(then, {.kind = Event::Kind::clusterOpens});
  wake_ = std::min(wake_, then);
}

// Warps that have not come to wait there find it open.
void Sm::openClusterBarriers(Cycle now) {
  for (const auto& block : residents_) {
    if (block->clusterOpens != now || !block->slots) continue;
    block->clusterOpens = kNever;
    const WarpSet waited = block->slots & states_.resident & ~(states_.canRun | states_.serial);
    block->running->stepper->openClusterBarrier(block->slot);
    noteBarrier(*block, now);
    refreshBlock(*block);
    letGo(waited & (states_.canRun | states_.serial), now);
  }
}

void Sm::forgetRemote() {
  launches_.forgetRemote();
  noteOutcome();
}

void Sm::runSerial(Cycle now) {
  const WarpSet able = states_.serial & states_.resident & fetch_.available() & ~states_.kept();
  if (able.empty()) return;
  catchUp(now);
  clock_ = now;
  for (const SlotId slot : able) {
    if (fault_) break;
    ++stats_.serialInstructions;
    issue(slot, now);
  }
  wake_ = now;
  noteOutcome();
}

bool Sm::releaseWaiting(Cycle now) {
  if (!launches_.releaseWaiting()) return false;
  catchUp(now);
  for (const auto& block : residents_) {
    if (block->slots) refreshBlock(*block);
  }
  wake_ = now;
  noteOutcome();
  return true;
}

std::string Sm::describeWaits() const {
  std::map<std::pair<std::string, Pc>, u32> warps;  // by what they wait for and where
  for (const SlotId slot : states_.resident) {
    ++warps[{states_.waitOf(slot, fetch_.available()), next_[slot].pc}];
  }
  std::string text;
  for (const auto& [wait, count] : warps)
    text += fmt::format("  SM {}: {} warps at instruction {} wait for {}\n", number_, count, wait.second, wait.first);
  return text + describeHelpers();
}

}  // namespace warpwright::sm
