#include "mechanisms/assist_warps/controller.hpp"

#include <algorithm>
#include <utility>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr u32 kWordBits = 32;

bool hasTrigger(const Routine& routine, Trigger trigger) {
  const auto& on = routine.annotation.on;
  return std::any_of(on.begin(), on.end(), [&](const TriggerCondition& each) { return each.trigger == trigger; });
}

// The part of an instruction's accesses that the trigger is about; null: it has none.
const exec::AccessRecord* accessFor(Trigger trigger, const exec::StepRecord& record) {
  for (u32 i = 0; i < record.accessCount; ++i) {
    const exec::AccessRecord& access = record.accesses[i];
    if (access.space != isa::Space::global || access.isTexel || access.isPrefetch) continue;
    if (trigger == Trigger::atomic && access.isAtomic) return &access;
    if (trigger == Trigger::load && access.isLoad && !access.isAtomic) return &access;
    if (trigger == Trigger::store && access.isStore && !access.isAtomic) return &access;
  }
  return nullptr;
}

// In which the routine has the address of its buffer or its table, if it asks for it.
std::optional<u32> registerOf(const Routine& routine, LiveIn what) {
  const auto& in = routine.annotation.in;
  const auto found = std::find(in.begin(), in.end(), what);
  if (found == in.end()) return std::nullopt;
  return routine.arguments[static_cast<std::size_t>(found - in.begin())].first;
}

// Live-ins that the SM gives when the routine begins, whatever triggers it.
bool isOfRoutine(LiveIn what) { return what == LiveIn::buffer || what == LiveIn::table; }

// What goes to memory is counted by the load/store unit.
u32 cyclesInPipe(const sm::InstructionInfo& info) { return info.flow == sm::Flow::compute ? info.interval : 0; }

// Where a line begins at which the routine has registers of the program.
bool isPointOf(const Routine& routine, const isa::Instruction& instruction) {
  return instruction.opcode == isa::Opcode::point && instruction.offset == s64{routine.number};
}

// The register of the warp that a word of a point is in, once it has issued.
u32 registerAt(const isa::Instruction& point, u32 operand) {
  const isa::Operand& destination = point.destinations.at(operand);
  return destination.kind == isa::Operand::Kind::reg ? destination.index : point.sources.at(operand).index;
}

u32 lineOf(const isa::Instruction& instruction) { return instruction.sourceLine != 0 ? instruction.sourceLine : instruction.ptxLine; }

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

// --- triggers
void Controller::issued(SlotId slot, const exec::StepRecord& record, const sm::LaunchPlan& plan, Cycle now) {
  ++counted_.all.watched;
  const sm::InstructionInfo& info = plan.info.at(record.pc);
  throttle_.warpIssued(info.unit, cyclesInPipe(info), now);
  const bool isFirst = !resident_.contains(slot);
  Parent& parent = isFirst ? adopt(slot, plan) : parents_[slot];
  if (parent.routines == nullptr || !parent.routines->watchIssues) return;
  const u32 lineBefore = std::exchange(parent.line, lineOf(*record.instruction));
  const bool isNewLine = parent.line != lineBefore;
  for (const Routine& routine : parent.routines->all)
    if (routine.watchesIssues) triggerByIssue(slot, routine, record, isFirst, isNewLine, now);
}

// Before the first instruction of a warp.
Controller::Parent& Controller::adopt(SlotId slot, const sm::LaunchPlan& plan) {
  resident_.insert(slot);
  const Routines* routines = plan.notes.find<Routines>();
  Parent& parent = parents_[slot];
  parent = {.routines = routines != nullptr && !routines->all.empty() ? routines : nullptr, .line = 0, .plan = &plan};
  if (parent.routines != nullptr)
    timed_.set(slot, std::any_of(routines->all.begin(), routines->all.end(), [](const Routine& each) { return each.hasTimer; }));
  return parent;
}

void Controller::triggerByIssue(SlotId slot, const Routine& routine, const exec::StepRecord& record, bool isFirst, bool isNewLine,
                                Cycle now) {
  for (const TriggerCondition& condition : routine.annotation.on) {
    Event event{record.executing, accessFor(condition.trigger, record), {}, record.instruction};
    bool happens = event.access != nullptr;
    if (happens) event.lanes = event.access->mask;
    happens |= condition.trigger == Trigger::divergence && record.branchTargets > 1;
    happens |= condition.trigger == Trigger::launch && isFirst;
    if (condition.trigger == Trigger::line && lineOf(*record.instruction) == condition.number)
      happens |= routine.annotation.namesRegisters() ? isPointOf(routine, *record.instruction) : isNewLine;
    if (happens) trigger(slot, routine, event, now);
  }
}

void Controller::triggerAll(SlotId slot, Trigger which, const Event& event, Cycle now) {
  const Routines* routines = routinesOf(slot);
  if (routines == nullptr) return;
  for (const Routine& routine : routines->all)
    if (hasTrigger(routine, which)) trigger(slot, routine, event, now);
}

void Controller::missed(const sm::Missed& miss, Cycle now) {
  const bool isTexture = miss.request.type == mem::AccessType::textureRead;
  if (miss.context.isHelper() || (miss.request.type != mem::AccessType::globalRead && !isTexture)) return;
  if (routinesOf(miss.context.slot) == nullptr) return;
  fetching_.try_emplace(fetchedBy(miss.request), Waiters{miss.context.slot, {}}).first->second.all.insert(miss.context.slot);
  if (!isTexture) triggerAll(miss.context.slot, Trigger::miss, {.line = miss.request.address}, now);
}

// For the warp that missed the line first (of several that wait for it the paper does not say which).
void Controller::filled(const mem::Request& response, Cycle now) {
  const auto found = fetching_.find(fetchedBy(response));
  if (found == fetching_.end()) return;
  const SlotId slot = found->second.first;
  const bool isTexture = found->first.isTexture;
  fetching_.erase(found);
  if (isTexture) return;
  if (response.wasMissed) triggerAll(slot, Trigger::missBelow, {.line = response.address}, now);
  triggerAll(slot, Trigger::fill, {.line = response.address}, now);
}

// The launch ends when all routines have that the fault triggers, whose counts it therefore has.
bool Controller::faulted(const sm::Faulted& what, Cycle now) {
  if (!what.fault.lane) return false;
  if (!resident_.contains(what.slot)) adopt(what.slot, what.plan);
  Event event;
  event.lanes = LaneMask::of(*what.fault.lane);
  event.line = GlobalAddress(what.fault.address);
  event.isFault = true;
  triggerAll(what.slot, Trigger::fault, event, now);
  return table_.putsOffFault(what.slot);
}

void Controller::idle(u32 scheduler, Cycle now) {
  const auto isIts = [&](SlotId slot) { return slot % schedulers_ == scheduler && routinesOf(slot) != nullptr; };
  const std::optional<SlotId> slot = nextWarp(lastIdle_[scheduler], isIts);
  if (!slot) return;
  lastIdle_[scheduler] = *slot;
  triggerAll(*slot, Trigger::idle, {}, now);
}

// A timer of a launch goes for one of its warps at a time, in turn.
void Controller::fireTimers(Cycle now) {
  std::vector<const Routines*> launches;
  for (const SlotId slot : timed_)
    if (std::find(launches.begin(), launches.end(), routinesOf(slot)) == launches.end()) launches.push_back(routinesOf(slot));
  for (const Routines* launch : launches) {
    for (const Routine& routine : launch->all) {
      for (const TriggerCondition& condition : routine.annotation.on) {
        if (condition.trigger != Trigger::timer || now.ticks % condition.number != 0) continue;
        const std::optional<SlotId> slot = nextWarp(lastTimed_, [&](SlotId each) { return routinesOf(each) == launch; });
        lastTimed_ = *slot;
        trigger(*slot, routine, {}, now);
      }
    }
  }
}

std::optional<SlotId> Controller::nextWarp(u32 from, auto&& holds) const {
  for (u32 step = 1; step <= sm::kMostWarps; ++step) {
    const SlotId slot{(from + step) % sm::kMostWarps};
    if (resident_.contains(slot) && holds(slot)) return slot;
  }
  return std::nullopt;
}

void Controller::trigger(SlotId slot, const Routine& routine, const Event& event, Cycle now) {
  const LaneMask lanes = routine.annotation.lanes & event.lanes;
  if (lanes.empty()) return;
  Statistics& all = counted_.all;
  ++all.triggered;
  ++counted_.byRoutine[routine.function->name].triggered;
  if (table_.isLive(slot, routine)) {
    ++all.refusedLive;
    return;
  }
  const Priority priority = routine.annotation.priority;
  if (!table_.hasRoom(priority)) {
    ++all.refusedFull;
    return;
  }
  Entry entry = entryOf(slot, routine, lanes, now);
  setArguments(entry, event);
  setResults(entry, event);
  entry.putsOffFault = event.isFault;
  insert(std::move(entry));
}

Entry Controller::entryOf(SlotId slot, const Routine& routine, LaneMask lanes, Cycle now) const {
  Entry entry;
  entry.slot = slot;
  entry.routine = &routine;
  entry.plan = parents_[slot].plan;
  entry.lanes = lanes;
  entry.priority = routine.annotation.priority;
  entry.next = routine.function->begin;
  entry.triggered = now;
  return entry;
}

void Controller::insert(Entry entry) {
  if (entry.priority == Priority::high) {
    control_.hold(entry.slot, true);
    for (const SlotId slot : entry.held) control_.hold(slot, true);
  }
  table_.throttle(throttle_.at(entry.triggered));
  table_.insert(std::move(entry));
}

// The values are those at the trigger, though the warp may go on before the routine is deployed: nobody else has the routine's registers,
// so the moves of the paper may be done at once. What the warp is still waiting for, as the value of a load, the routine waits for, too.
void Controller::setArguments(Entry& entry, const Event& event) const {
  const Routine& routine = *entry.routine;
  for (std::size_t i = 0; i < routine.arguments.size(); ++i) {
    const LiveIn what = routine.annotation.in[i];
    const Words& words = routine.arguments[i];
    for (u32 word = 0; what == LiveIn::reg && word < words.count; ++word)
      putRegister(entry, words.first + word, registerAt(*event.instruction, words.operand + word));
    if (what != LiveIn::reg && !isOfRoutine(what)) putWords(entry, words, event, what);
  }
  if (event.access == nullptr || !event.access->isLoad) return;
  const isa::Operand& destination = event.instruction->destinations[0];
  if (destination.kind != isa::Operand::Kind::reg) return;
  const auto& in = routine.annotation.in;
  if (std::find(in.begin(), in.end(), LiveIn::value) == in.end()) return;
  for (u32 word = 0; word * kWordBytes < event.access->bytes; ++word) entry.awaited.addRegister(destination.index + word);
}

// A load that has nowhere to put what it loads has none, and one of fewer words than the result takes as many as it has.
void Controller::setResults(Entry& entry, const Event& event) {
  const Routine& routine = *entry.routine;
  for (std::size_t i = 0; i < routine.results.size(); ++i) {
    const LiveOut what = routine.annotation.out[i];
    if (what == LiveOut::count) continue;
    const isa::Instruction& instruction = *event.instruction;
    if (what == LiveOut::value && instruction.destinations[0].kind != isa::Operand::Kind::reg) continue;
    const Words& words = routine.results[i];
    for (u32 word = 0; word < words.count; ++word) {
      if (what == LiveOut::value && word * kWordBytes >= event.access->bytes) break;
      const u32 own = what == LiveOut::value ? instruction.destinations[0].index + word : registerAt(instruction, words.operand + word);
      entry.results.push_back({own, words.first + word});
    }
  }
}

void Controller::putRegister(Entry& entry, u32 helperRegister, u32 ownRegister) const {
  sm::HelperStart::Given& given = entry.given.emplace_back();
  given.helperRegister = helperRegister;
  std::ranges::copy(control_.registerOf(entry.slot, ownRegister), given.lanes.begin());
  entry.awaited.addRegister(ownRegister);
}

void Controller::putWords(Entry& entry, const Words& words, const Event& event, LiveIn what) const {
  for (u32 word = 0; word < words.count; ++word) {
    sm::HelperStart::Given& given = entry.given.emplace_back();
    given.helperRegister = words.first + word;
    for (const LaneId lane : entry.lanes) {
      if (lane >= layoutLanes_) break;
      u32& value = given.lanes[lane];
      if (what == LiveIn::address) {
        const u64 address = event.access != nullptr ? event.access->addresses[lane] : u64{event.line};
        value = static_cast<u32>(address >> kWordBits * word);
      } else if (what == LiveIn::bytes) {
        value = word == 0 ? event.access->bytes : 0;
      } else if (word * kWordBytes < event.access->bytes && event.access->values != nullptr) {
        value = event.access->values[std::size_t{word} * layoutLanes_ + lane];
      }
    }
  }
}

// --- requests
const Routine* Controller::findRoutine(SlotId slot, std::string_view name) const {
  const Routines* routines = resident_.contains(slot) ? routinesOf(slot) : nullptr;
  if (routines == nullptr) return nullptr;
  const auto isIt = [&](const Routine& each) { return each.function->name == name && hasTrigger(each, Trigger::request); };
  const auto found = std::find_if(routines->all.begin(), routines->all.end(), isIt);
  return found == routines->all.end() ? nullptr : &*found;
}

bool Controller::ask(const sm::AssistanceRequest& request, sm::AssistanceClient& client, Cycle now) {
  const Routine* routine = findRoutine(request.slot, request.routine);
  if (routine == nullptr || !table_.hasRoom(routine->annotation.priority)) return false;
  if (routine->annotation.priority != Priority::high && table_.isLive(request.slot, *routine)) return false;
  ++counted_.all.triggered;
  ++counted_.byRoutine[routine->function->name].triggered;
  Entry entry = entryOf(request.slot, *routine, routine->annotation.lanes, now);
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
  free(*cancelled);
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
    free(entry);
    return false;
  }
  table_.deployed(entry, *helper);
  entry.unstagedSince = now;
  u64& deployed = entry.priority == Priority::high     ? all.deployedHigh
                  : entry.priority == Priority::normal ? all.deployedNormal
                                                       : all.deployedLow;
  ++deployed;
  ++counted_.byRoutine[routine.function->name].deployed;
  all.throttled += entry.wasThrottled;
  all.waited += now - entry.triggered > 1 ? now - entry.triggered - 1 : 0;
  all.wordsIn += words;
  all.mostLive.observe(table_.live());
  return true;
}

Cycle Controller::nextUseful(Cycle now) const {
  if (!toKill_.empty() || table_.canStage()) return now;
  Cycle next = table_.anyWaits() && table_.isThrottled() ? std::max(now, throttle_.windowEnd()) : kNever;
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
  ++counted_.byRoutine[entry.routine->function->name].instructions;
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
  if (!entry.isAbandoned) addUp(entry, helper);
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
    counted_.byRoutine[routine.function->name].counted += sum;
  }
}

// The values of results are in the warp's registers, which nobody looks at before the time that their moves take has passed: until then the
// entry holds the warp.
void Controller::freeMoved(Cycle now) {
  const auto first = std::stable_partition(moving_.begin(), moving_.end(), [&](const Moving& each) { return each.until > now; });
  const std::vector<Moving> moved(first, moving_.end());
  moving_.erase(first, moving_.end());
  for (const Moving& each : moved) free(*each.entry);
}

void Controller::free(Entry& entry) {
  sm::WarpSet held;
  if (entry.priority == Priority::high) held = entry.held | sm::WarpSet::of(entry.slot);
  counted_.all.flushed += entry.staged;
  const bool putOffFault = entry.putsOffFault;
  const SlotId own = entry.slot;
  table_.free(entry);
  if (putOffFault && !table_.putsOffFault(own)) control_.raiseFault(own);
  for (const SlotId slot : held)
    if (!table_.holds(slot)) control_.hold(slot, false);
}

// Nobody needs what is left of low priority, unless a part of the SM has asked for it. It is killed in the next cycle, when the SM has seen
// the warp off.
void Controller::finished(SlotId slot, Cycle now) {
  resident_.set(slot, false);
  timed_.set(slot, false);
  parents_[slot] = {};
  std::erase_if(fetching_, [&](const auto& each) { return each.second.first == slot; });
  table_.forEachOf(slot, [&](Entry& entry) {
    if (entry.waits()) {
      ++counted_.all.dropped;
      counted_.all.throttled += entry.wasThrottled;
      answer(entry, {}, now);
      free(entry);
    } else if (entry.priority == Priority::low && entry.client == nullptr) {
      toKill_.push_back(*entry.helper);
    }
  });
}

void Controller::killLeft(Cycle now) {
  for (const u32 helper : std::exchange(toKill_, {})) {
    Entry& entry = *table_.ofHelper(helper);
    answer(entry, {}, now);
    free(entry);
    control_.kill(helper);
    ++counted_.all.killed;
  }
}

}  // namespace warpwright::mechanisms::assist_warps
