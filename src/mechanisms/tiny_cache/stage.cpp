#include "mechanisms/tiny_cache/stage.hpp"

#include <algorithm>
#include <utility>

#include "base/memory_units.hpp"
#include "sm/launch_plan.hpp"

namespace warpwright::mechanisms::tiny_cache {

using sm::LaneAccess;
using sm::MemoryOperation;

namespace {}  // namespace

Stage::Stage(const Settings& settings, const config::Machine& machine, const sm::StageContext& context, Statistics& statistics)
    : settings_(settings),
      machine_(machine),
      operations_(context.operations),
      stats_(statistics),
      // A quantum is no longer than the way to the network, and stores are in memory when it ends.
      caches_(settings, machine.warpSize, machine.network.injectionLatency, statistics),
      lines_(settings, machine, machine.warpSize, context.below, statistics.below),
      banks_(machine),
      arrivals_(std::size_t{machine.warpSize} * settings.lines) {}

bool Stage::canAccept(const LaneAccess& access) const { return lines_.hasRoom() || !isOurs(access, settings_); }

void Stage::access(LaneAccess& access, MemoryOperation& operation, Cycle now) {
  const Treatment treatment = treatmentOf(access, bypassOf(*access.plan), settings_);
  if (treatment == Treatment::none || isOfHelpers(access, operation)) return;
  settleArrivals(now + machine_.sm.sharedLatency);
  plan_ = access.plan;
  if (access.space == isa::Space::local)
    vectors_ = sm::privateVectors(machine_, SmId{access.origin.sm}, SlotId{access.origin.slot}, access.plan->localPerThread);
  blocks_[access.firstSlot].insert(access.origin.slot);
  passOrderPoints(operation);
  if (treatment == Treatment::cached && !operation.context.isHelper() && !isStream(access)) {
    lines_.begin(access.origin, access.plan);
    serve(access, operation, now);
    writeBack(&operation, now);
    lines_.send(now);
    fetchShared(operation);
    access.serve(access.lanes);
    return;
  }
  bypass(access, treatment, operation, now);
  writeBack(&operation, now);
}

// The memory that a warp's helpers have for themselves lies behind that of the block, and no cache holds any of it.
bool Stage::isOfHelpers(const LaneAccess& access, const MemoryOperation& operation) const {
  if (!operation.context.isHelper() || access.space != isa::Space::shared) return false;
  for (const LaneId lane : access.lanes)
    if (access.addresses[lane] >= sharedBytes_[access.firstSlot]) return true;
  return false;
}

// --- accesses that are cached

// Launches take turns rarely.
Bypass Stage::bypassOf(const sm::LaunchPlan& plan) {
  if (plan.id == launch_) return bypass_;
  launch_ = plan.id;
  const Chosen* chosen = plan.notes.find<Chosen>();
  return bypass_ = chosen == nullptr ? settings_.bypass : chosen->bypass;
}

bool Stage::isStream(const LaneAccess& access) {
  if (!settings_.detectStreams || !caches_.streams().goesPast(access.origin.pc)) return false;
  ++stats_.streams;
  return true;
}

// From byte `first` of what the lane asks for: all of it, or of private memory, whose words lie apart, one word.
LaneWords Stage::wordsOf(const LaneAccess& access, LaneId lane, u32 first) const {
  const bool isPrivate = access.space == isa::Space::local, isShared = access.space == isa::Space::shared;
  const u64 address = isPrivate ? u64{vectors_.addressOf(access.addresses[lane] + first, lane)} : access.addresses[lane];
  const u64 number = address / settings_.lineBytes;
  LaneWords words;
  words.lane = lane;
  words.line = isShared    ? LineName::shared(access.firstSlot, number)
               : isPrivate ? LineName::privateMemory(number)
                           : LineName::global(number);
  words.offset = static_cast<u32>(address % settings_.lineBytes);
  words.bytes = isPrivate ? std::min(access.bytes, kWordBytes) : access.bytes;
  words.pieceBytes = access.parts == nullptr ? std::min(access.bytes, kWordBytes) : access.partBytes;
  const u32* values = access.parts == nullptr ? access.values : access.parts;
  if (values != nullptr) words.values = values + first / words.pieceBytes * access.valueLanes + lane;
  words.valueLanes = access.valueLanes;
  words.origin = access.origin;
  return words;
}

template <class Visit>
void Stage::forEach(const LaneAccess& access, const MemoryOperation& operation, Cycle now, Visit visit) const {
  const u32 together = access.space == isa::Space::local ? kWordBytes : access.bytes;
  for (const LaneId lane : access.lanes) {
    for (u32 first = 0; first < access.bytes; first += together) {
      LaneWords words = wordsOf(access, lane, first);
      words.issued = operation.issued;
      words.now = now;
      visit(words);
    }
  }
}

void Stage::serve(const LaneAccess& access, MemoryOperation& operation, Cycle now) {
  operation.ready = std::max(operation.ready, now + settings_.latency);
  forEach(access, operation, now, [&](const LaneWords& words) {
    if (!access.isStore) return read(words, operation, now);
    const LaneCache::Outcome outcome = caches_.write(words);
    if (outcome.event == Event::writeMiss) arrivalOf(words.lane, outcome.entry) = {};
  });
}

void Stage::read(const LaneWords& words, MemoryOperation& operation, Cycle now) {
  const LaneCache::Outcome outcome = caches_.read(words);
  Arrival& arrival = arrivalOf(words.lane, outcome.entry);
  const bool isShared = words.line.isShared();
  if (fetches(outcome.event)) {
    arrival = {};
    if (!isShared) {
      arrival.flight = lines_.fetch(words.line);
      operation.awaited += lines_.await(arrival.flight, operation.entry);
      return;
    }
    sharedLines_.push_back(words.line);
    arriving_.push_back(static_cast<u32>(&arrival - arrivals_.data()));
    arrivingWith_ = operation.number;
    return;
  }
  if (!isShared && lines_.isInFlight(arrival.flight)) {
    caches_.noteWait(words.line.space());
    operation.awaited += lines_.await(arrival.flight, operation.entry);
  } else if (isShared && arrival.time > now + settings_.latency) {
    caches_.noteWait(Space::shared);
    operation.ready = std::max(operation.ready, arrival.time);
  }
}

// Each line once, however many lanes have missed it.
void Stage::fetchShared(MemoryOperation& operation) {
  if (sharedLines_.empty()) return;
  std::sort(sharedLines_.begin(), sharedLines_.end(), [](LineName a, LineName b) { return a.number() < b.number(); });
  sharedLines_.erase(std::unique(sharedLines_.begin(), sharedLines_.end()), sharedLines_.end());
  for (const LineName line : sharedLines_)
    for (u32 offset = 0; offset < settings_.lineBytes; offset += sizeof(u32)) banks_.add(line.offset(settings_.lineBytes) + offset);
  stats_.below.sharedLines += sharedLines_.size();
  sharedLines_.clear();
  const u32 passes = banks_.passes(plan_->sharedMaps.common.get());
  stats_.below.sharedFetchPasses += passes;
  addPasses(operation, passes);
  operation.sharedDelay = std::max(operation.sharedDelay, settings_.latency);
}

void Stage::addPasses(MemoryOperation& operation, u32 passes) {
  operation.sharedPasses += passes;
  operation.bankPhases.push_back({0, passes});
}

void Stage::sent(const MemoryOperation& operation) {
  if (!arriving_.empty() && operation.number == arrivingWith_) settleArrivals(operation.sharedDone);
}

void Stage::settleArrivals(Cycle time) {
  for (const u32 arrival : arriving_) arrivals_[arrival].time = time;
  arriving_.clear();
}

// --- accesses that are not

void Stage::bypass(const LaneAccess& access, Treatment treatment, const MemoryOperation& operation, Cycle now) {
  countBypass(access);
  if (treatment == Treatment::orders) caches_.dropAll(&EvictionStats::ordered);
  forEach(access, operation, now, [&](const LaneWords& words) {
    if (access.isAtomic) return caches_.atomic(words);
    access.isStore ? caches_.bypassWrite(words) : caches_.bypassRead(words);
  });
}

void Stage::countBypass(const LaneAccess& access) {
  const bool isShared = access.space == isa::Space::shared, isPrivate = access.space == isa::Space::local;
  SpaceStats& stats = stats_.of(isShared ? Space::shared : isPrivate ? Space::privateMemory : Space::global);
  (access.isAtomic ? stats.atomics : access.isStore ? stats.bypassedWrites : stats.bypassedReads) += access.lanes.size();
}

// --- order

// __syncwarp orders the accesses of its warp, and calls of the system move memory from one thread to another. Accesses come here later than
// they issue: what issued before the instruction may still come.
void Stage::issued(const sm::Issued& instruction) {
  if (instruction.info->flow == sm::Flow::fence) fences_[instruction.context.slot] = {};
  accessesSince_ |= instruction.operation != nullptr;
  if (instruction.info->unit != isa::Unit::warp && instruction.info->unit != isa::Unit::control) return;
  const isa::Opcode opcode = instruction.plan->request.launch->program->program.code[instruction.info->pc].opcode;
  if (opcode == isa::Opcode::warpsync) addOrderPoint({instruction.number, &EvictionStats::warpSync});
  if (opcode == isa::Opcode::syscall) addOrderPoint({instruction.number, &EvictionStats::systemCall});
}

void Stage::addOrderPoint(const OrderPoint& point) {
  if (!orderPoints_.empty() && !accessesSince_) orderPoints_.pop_back();
  orderPoints_.push_back(point);
  accessesSince_ = false;
}

void Stage::passOrderPoints(const MemoryOperation& operation) {
  const auto isPassed = [&](const OrderPoint& point) { return static_cast<s32>(operation.number - point.number) > 0; };
  const auto end = std::find_if_not(orderPoints_.begin(), orderPoints_.end(), isPassed);
  if (end == orderPoints_.begin()) return;
  caches_.dropAll(std::prev(end)->cause);
  orderPoints_.erase(orderPoints_.begin(), end);
}

void Stage::blockBegins(SlotId firstSlot, u64 sharedBytes) {
  caches_.blockBegins(firstSlot, sharedBytes);
  sharedBytes_[firstSlot] = sharedBytes;
  ends_[firstSlot] = {};
  blocks_[firstSlot] = {};
}

void Stage::barrierOpens(SlotId firstSlot, Cycle now) {
  caches_.dropAll(&EvictionStats::barrier);
  writeBack(nullptr, now);
  if (drainPasses_ != 0) held_ |= blocks_[firstSlot];
}

// Nothing stays, and all that was dirty has to be below.
bool Stage::drained(Wait& wait, LaneCaches::Cause cause) {
  if (!wait.isAsked) {
    caches_.dropAll(cause);
    writeBack(nullptr, {});  // with the next tick
    wait = {true, lines_.mark()};
  }
  return lines_.isWritten(wait.mark) && drainPasses_ == 0;
}

// --- write-backs

// What the banks do of it is a part of the operation that displaces the lines; null: of one of its own.
void Stage::writeBack(MemoryOperation* operation, Cycle now) {
  std::vector<Leaver>& leavers = caches_.leavers();
  if (leavers.empty()) return;
  lines_.writeBack(leavers, plan_, now);
  for (const Leaver& leaver : leavers) {
    if (!leaver.line.name.isShared()) continue;
    const Geometry geometry = settings_.geometry();
    for (u32 offset = 0; offset < settings_.lineBytes; offset += sizeof(u32)) {
      if ((leaver.line.dirty() & geometry.granulesOf(offset, sizeof(u32))) != 0)
        banks_.add(leaver.line.name.offset(settings_.lineBytes) + offset);
    }
  }
  leavers.clear();
  const u32 passes = banks_.passes(plan_->sharedMaps.common.get());
  stats_.below.sharedWritePasses += passes;
  if (passes == 0) return;
  if (operation == nullptr) {
    drainPasses_ += passes;
  } else {
    addPasses(*operation, passes);
  }
}

void Stage::beginDrain(Cycle now) {
  MemoryOperation& operation = operations_.begin(*this);
  operation.isStore = true;
  operation.sharedPasses = std::exchange(drainPasses_, 0);
  ++drains_;
  ++stats_.below.drains;
  held_ = {};
  operations_.submit(operation, now);
}

bool Stage::tick(Cycle now) {
  bool any = lines_.tick(now);
  if (drainPasses_ != 0 && operations_.canBegin()) {
    beginDrain(now);
    any = true;
  }
  return any;
}

}  // namespace warpwright::mechanisms::tiny_cache
