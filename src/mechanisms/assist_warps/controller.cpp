#include "mechanisms/assist_warps/controller.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

// In which the routine has the address of its buffer or its table, if it asks for it.
std::optional<u32> registerOf(const Routine& routine, LiveIn what) {
  const auto& in = routine.annotation.in;
  const auto found = std::find(in.begin(), in.end(), what);
  if (found == in.end()) return std::nullopt;
  return routine.arguments[static_cast<std::size_t>(found - in.begin())].first;
}

void addWords(stats::Tally& into, std::span<const std::byte> memory) {
  for (std::size_t index = 0; index < memory.size() / kWordBytes; ++index) {
    u32 word = 0;
    std::memcpy(&word, memory.data() + index * kWordBytes, sizeof word);
    into.add(index, word);
  }
}

}  // namespace

Controller::Controller(const Settings& settings, const config::Machine& machine, sm::HelperControl& control, Counted& counted)
    : settings_(settings),
      schedulers_(std::max(1u, machine.schedulersPerSm)),
      layoutLanes_(exec::layoutLanes(machine.warpSize)),
      control_(control),
      counted_(counted),
      table_({.entries = settings.entries,
              .lowEntries = settings.lowEntries,
              .warpEntries = settings.warpEntries,
              .mostLive = settings.mostLive}),
      throttle_(settings, machine),
      lastIdle_(schedulers_) {}

// --- requests
const Routine* Controller::findRoutine(SlotId slot, std::string_view name) const {
  const Routines* routines = resident_.contains(slot) ? routinesOf(slot) : nullptr;
  if (routines == nullptr) return nullptr;
  const auto isIt = [&](const Routine& each) { return each.function->name == name && each.isOn(Trigger::request); };
  const auto found = std::find_if(routines->all.begin(), routines->all.end(), isIt);
  return found == routines->all.end() ? nullptr : &*found;
}

bool Controller::ask(const sm::AssistanceRequest& request, sm::AssistanceClient& client, Cycle now) {
  const Routine* routine = findRoutine(request.slot, request.routine);
  if (routine == nullptr || !table_.hasRoom(routine->annotation.priority)) return false;
  if (routine->annotation.priority != Priority::high && table_.isLive(request.slot, *routine)) return false;
  Entry entry = entryOf(request.slot, *routine, routine->annotation.lanes, now);
  ++counted_.all.triggered;
  ++entry.counted->triggered;
  entry.client = &client;
  entry.ticket = request.ticket;
  entry.buffer.assign(request.buffer.begin(), request.buffer.end());
  entry.held = request.held;
  insert(std::move(entry));
  return true;
}

// A kill is of low priority: others are not under way for long.
void Controller::cancel(SlotId slot, u32 ticket, const sm::AssistanceClient& client) {
  Entry* cancelled = nullptr;
  table_.forEachOf(slot, [&](Entry& entry) {
    if (entry.client == &client && entry.ticket == ticket && entry.priority == Priority::low) cancelled = &entry;
  });
  if (cancelled == nullptr) return;
  if (!cancelled->waits()) return toKill_.push_back(*cancelled->helper);
  ++counted_.all.dropped;
  counted_.all.throttled += cancelled->wasThrottled;
  free(*cancelled, {});  // no fault waits for it
}

std::optional<SlotId> Controller::waiterFor(const mem::Request& response) const {
  const auto found = fetching_.find(fetchedBy(response));
  return found == fetching_.end() ? std::nullopt : std::optional(found->second.first);
}

sm::WarpSet Controller::waitersFor(const mem::Request& response) const {
  const auto found = fetching_.find(fetchedBy(response));
  return found == fetching_.end() ? sm::WarpSet{} : found->second.all;
}

void Controller::answer(const Entry& entry, std::span<const std::byte> buffer, Cycle now) const {
  if (entry.client == nullptr) return;
  entry.client->assisted(entry.ticket, buffer, now);
  control_.wakeStages();
}

// --- deployment
void Controller::tick(Cycle now) {
  killLeft(now);
  freeMoved(now);
  if (!mapping_.empty()) resumeMapped(now);
  if (!timed_.empty()) fireTimers(now);
  throttle_.loadStoreUsed(control_.loadStoreCycles(), now);
  table_.throttle(throttle_.at(now));
  for (u32 count = 0; count < settings_.width; ++count) {
    Entry* entry = table_.next();
    if (entry == nullptr) return;
    if (!entry->waits() || deploy(*entry, now)) stage(*entry, now);
  }
}

void Controller::stage(Entry& entry, Cycle now) {
  Statistics& all = counted_.all;
  ++all.staged;
  if (entry.staged == 0) all.unstaged += now - entry.unstagedSince;
  table_.stage(entry);
  control_.stage(*entry.helper);
}

// False: the SM has no place for it, and its entry is free.
bool Controller::deploy(Entry& entry, Cycle now) {
  const Routine& routine = *entry.routine;
  sm::HelperStart start;
  start.slot = entry.slot;
  start.routine = routine.function;
  start.lanes = entry.lanes;
  start.priority = entry.priority == Priority::low ? sm::HelperPriority::low : sm::HelperPriority::high;
  start.holdsParent = entry.priority == Priority::high;
  start.isSpeculative = routine.annotation.isSpeculative;
  start.earliest = now + 1 + u64{settings_.moveLatency} * entry.given.size();
  start.given = std::move(entry.given);
  start.awaited = entry.awaited;
  start.isStaged = true;
  start.place = routine.place;
  start.buffer = std::move(entry.buffer);
  start.bufferPlace = routine.bufferPlace;
  start.bufferRegister = registerOf(routine, LiveIn::buffer);
  start.tablePlace = routine.tablePlace;
  start.tableRegister = registerOf(routine, LiveIn::table);
  const u64 words = start.given.size();
  const std::optional<u32> helper = control_.begin(start);
  Statistics& all = counted_.all;
  if (!helper) {
    ++all.dropped;
    answer(entry, {}, now);
    free(entry, now);
    return false;
  }
  table_.deployed(entry, *helper);
  entry.unstagedSince = now;
  u64& deployed = entry.priority == Priority::high     ? all.deployedHigh
                  : entry.priority == Priority::normal ? all.deployedNormal
                                                       : all.deployedLow;
  ++deployed;
  ++entry.counted->deployed;
  all.throttled += entry.wasThrottled;
  all.waited += now - entry.triggered > 1 ? now - entry.triggered - 1 : 0;
  all.wordsIn += words;
  all.mostLive.observe(table_.live());
  return true;
}

Cycle Controller::nextUseful(Cycle now) const {
  if (!toKill_.empty() || table_.canStage()) return now;
  Cycle next = table_.anyWaits() && table_.isThrottled() ? std::max(now, throttle_.windowEnd()) : kNever;
  for (const Mapping& each : mapping_) next = std::min(next, std::max(now, each.until));
  for (const Moving& each : moving_) next = std::min(next, std::max(now, each.until));
  for (const SlotId slot : timed_)
    for (const Routine& routine : routinesOf(slot)->all)
      for (const TriggerCondition& condition : routine.annotation.on)
        if (condition.trigger == Trigger::timer)
          next = std::min(next, Cycle{(now.ticks + condition.number - 1) / condition.number * condition.number});
  return next;
}

// --- what becomes of them
void Controller::helperIssued(u32 helper, const exec::StepRecord& record, Cycle now) {
  ++counted_.all.instructions;
  Entry& entry = *table_.ofHelper(helper);
  ++entry.counted->instructions;
  if (!std::exchange(entry.hasIssued, true)) entry.counted->toFirst.add(now - entry.triggered);
  const sm::InstructionInfo& info = entry.plan->info.at(record.pc);
  throttle_.assistIssued(info.unit, cyclesInPipe(info), now);
  entry.isAbandoned |= record.abandoned;
  table_.issued(entry);
  follow(entry, record.next, Pc{record.pc + 1}, now);
}

void Controller::helperReplayed(u32 helper, const exec::StepRecord& record, Cycle now) {
  follow(*table_.ofHelper(helper), record.next, record.pc, now);
}

// Behind what has issued lies what comes next in the sequence. Where the assist warp goes on elsewhere, that was staged in vain.
void Controller::follow(Entry& entry, const exec::NextInstruction& next, Pc inSequence, Cycle now) {
  const bool isThrough = next.state == exec::WarpState::finished;
  if (isThrough || next.pc != inSequence) flush(entry, next.pc);
  if (isThrough) table_.isThrough(entry);
  if (entry.staged == 0) entry.unstagedSince = now;
}

void Controller::flush(Entry& entry, Pc next) {
  counted_.all.flushed += entry.staged;
  table_.flush(entry, next);
  control_.flush(*entry.helper);
}

void Controller::ended(u32 helper, Cycle now) {
  std::erase(toKill_, helper);
  Entry& entry = *table_.ofHelper(helper);
  const Routine& routine = *entry.routine;
  Statistics& all = counted_.all;
  ++all.ended;
  all.abandoned += entry.isAbandoned;
  entry.counted->toEnd.add(now - entry.triggered);
  if (!entry.isAbandoned) addUp(entry, helper);
  if (!entry.isAbandoned) noteResume(entry, helper);
  const auto memory = control_.leftInMemory(helper).subspan(routine.bufferPlace, routine.annotation.bufferBytes);
  answer(entry, entry.isAbandoned ? std::span<const std::byte>{} : memory, now);
  if (entry.isAbandoned) entry.results.clear();
  for (const sm::HelperStart::Move& each : entry.results) control_.giveBack(helper, each);
  all.wordsOut += entry.results.size();
  table_.ended(entry);
  moving_.push_back({&entry, now + u64{settings_.moveLatency} * entry.results.size()});
  freeMoved(now);
}

void Controller::addUp(const Entry& entry, u32 helper) {
  const Routine& routine = *entry.routine;
  for (std::size_t i = 0; i < routine.results.size(); ++i) {
    if (routine.annotation.out[i] != LiveOut::count) continue;
    u64 sum = 0;
    const std::span<const u32> left = control_.left(helper, routine.results[i].first);
    for (const LaneId lane : entry.lanes)
      if (lane < left.size()) sum += left[lane];
    counted_.all.counted += sum;
    entry.counted->counted += sum;
  }
}

// Of several routines at a fault the first that says how to go on decides, in the lane whose fault it is.
void Controller::noteResume(const Entry& entry, u32 helper) {
  const Routine& routine = *entry.routine;
  Parent& parent = parents_[entry.slot];
  for (std::size_t i = 0; i < routine.results.size() && parent.end == FaultEnd::stop; ++i) {
    const LiveOut what = routine.annotation.out[i];
    if (what != LiveOut::resume && what != LiveOut::map) continue;
    u64 said = 0;
    for (u32 word = 0; word < routine.results[i].count; ++word)
      said |= u64{control_.left(helper, routine.results[i].first + word)[entry.lanes.least()]} << kWordBits * word;
    if (said == 0) continue;
    parent.end = what == LiveOut::resume && said == static_cast<u32>(FaultEnd::behind) ? FaultEnd::behind : FaultEnd::again;
    if (what == LiveOut::map) parent.toMap = GlobalAddress(said / settings_.pageBytes * settings_.pageBytes);
  }
}

// The page is there before the warp is: the SM maps it at the end of the quantum, and the latency is of the host.
void Controller::endFault(SlotId slot, Cycle now) {
  Parent& parent = parents_[slot];
  const FaultEnd end = std::exchange(parent.end, FaultEnd::stop);
  const std::optional<GlobalAddress> page = std::exchange(parent.toMap, std::nullopt);
  if (end == FaultEnd::stop) return control_.raiseFault(slot);
  ++counted_.all.resumed;
  if (!page) return resume(slot, end);
  ++counted_.all.mapped;
  control_.map(slot, *page, settings_.pageBytes);
  mapping_.push_back({slot, now + settings_.mapLatency});
}

void Controller::resume(SlotId slot, FaultEnd end) {
  resumed_.insert(slot);
  control_.resume(slot, end == FaultEnd::behind);
}

void Controller::resumeMapped(Cycle now) {
  for (const Mapping& each : mapping_)
    if (each.until <= now) resume(each.slot, FaultEnd::again);
  std::erase_if(mapping_, [&](const Mapping& each) { return each.until <= now; });
}

// The values of results are in the warp's registers, which nobody looks at before the time that their moves take has passed: until then the
// entry holds the warp.
void Controller::freeMoved(Cycle now) {
  const auto isMoved = [&](const Moving& each) { return each.until <= now; };
  for (auto moved = std::ranges::find_if(moving_, isMoved); moved != moving_.end(); moved = std::ranges::find_if(moving_, isMoved)) {
    Entry& entry = *moved->entry;
    moving_.erase(moved);
    free(entry, now);
  }
}

void Controller::free(Entry& entry, Cycle now) {
  sm::WarpSet held;
  if (entry.priority == Priority::high) held = entry.held | sm::WarpSet::of(entry.slot);
  counted_.all.flushed += entry.staged;
  const bool putOffFault = entry.putsOffFault;
  const SlotId own = entry.slot;
  table_.free(entry);
  if (putOffFault && !table_.putsOffFault(own)) endFault(own, now);
  for (const SlotId slot : held)
    if (!table_.holds(slot)) control_.hold(slot, false);
}

// Nobody needs what is left of low priority, unless a part of the SM has asked for it. It is killed in the next cycle, when the SM has seen
// the warp off.
void Controller::finished(SlotId slot, Cycle now) {
  resident_.set(slot, false);
  timed_.set(slot, false);
  parents_[slot].routines = nullptr;
  std::erase_if(fetching_, [&](const auto& each) { return each.second.first == slot; });
  table_.forEachOf(slot, [&](Entry& entry) {
    if (entry.waits()) {
      ++counted_.all.dropped;
      counted_.all.throttled += entry.wasThrottled;
      answer(entry, {}, now);
      free(entry, now);
    } else if (entry.priority == Priority::low && entry.client == nullptr && !entry.hasEnded) {
      toKill_.push_back(*entry.helper);
    }
  });
}

// Blocks of a launch that a fault ends do not come here.
void Controller::blockEnds(const sm::EndedBlock& block) {
  const Routines* routines = block.plan.notes.find<Routines>();
  if (routines == nullptr) return;
  for (const Routine& routine : routines->all) {
    const Annotation& says = routine.annotation;
    if (says.report == Report::none) continue;
    stats::Tally& into = counted_.byRoutine[routine.function->name].reported;
    if (says.report == Report::table) addWords(into, block.left.table.subspan(routine.tablePlace, says.tableBytes));
    for (u64 warp = 0; says.report == Report::buffer && warp < block.left.buffers.size(); warp += block.left.bufferBytes)
      addWords(into, block.left.buffers.subspan(warp + routine.bufferPlace, says.bufferBytes));
  }
}

void Controller::killLeft(Cycle now) {
  for (const u32 helper : std::exchange(toKill_, {})) {
    Entry& entry = *table_.ofHelper(helper);
    answer(entry, {}, now);
    free(entry, now);
    control_.kill(helper);
    ++counted_.all.killed;
  }
}

}  // namespace warpwright::mechanisms::assist_warps
