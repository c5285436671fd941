// What triggers assist warps, and what they are given.
#include <algorithm>
#include <utility>

#include "base/memory_units.hpp"
#include "mechanisms/assist_warps/controller.hpp"

namespace warpwright::mechanisms::assist_warps {
namespace {

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

// Live-ins that the SM gives when the routine begins, whatever triggers it.
bool isOfRoutine(LiveIn what) { return what == LiveIn::buffer || what == LiveIn::table; }

// Where a line begins at which the routine has registers of the program.
bool isPointOf(const Routine& routine, const isa::Instruction& instruction) {
  return instruction.opcode == isa::Opcode::point && instruction.offset == s64{routine.number};
}

// The register of the warp that a word of a point is in, once it has issued.
u32 registerAt(const isa::Instruction& point, u32 operand) {
  const isa::Operand& destination = point.destinations.at(operand);
  return destination.kind == isa::Operand::Kind::reg ? destination.index : point.sources.at(operand).index;
}

const auto& codeOf(const sm::LaunchPlan& plan) { return plan.request.launch->program->program.code; }

u32 lineOf(const isa::Instruction& instruction) { return instruction.sourceLine != 0 ? instruction.sourceLine : instruction.ptxLine; }

}  // namespace

// --- triggers
void Controller::issued(SlotId slot, const exec::StepRecord& record, const sm::LaunchPlan& plan, Cycle now) {
  ++counted_.all.watched;
  resumed_.set(slot, false);
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
  parent.routines = routines != nullptr && !routines->all.empty() ? routines : nullptr;
  parent.line = 0;
  parent.plan = &plan;
  parent.counted.clear();
  if (parent.routines == nullptr) return parent;
  timed_.set(slot, std::any_of(routines->all.begin(), routines->all.end(), [](const Routine& each) { return each.hasTimer; }));
  for (const Routine& routine : routines->all) parent.counted.push_back(&counted_.byRoutine[routine.function->name]);
  return parent;
}

void Controller::triggerByIssue(SlotId slot, const Routine& routine, const exec::StepRecord& record, bool isFirst, bool isNewLine,
                                Cycle now) {
  for (const TriggerCondition& condition : routine.annotation.on) {
    Event event{record.executing, accessFor(condition.trigger, record), {}, record.instruction, record.pc};
    bool happens = event.access != nullptr;
    if (happens) event.lanes = event.access->mask;
    happens |= condition.trigger == Trigger::divergence && record.branchTargets > 1;
    happens |= condition.trigger == Trigger::launch && isFirst;
    if (condition.trigger == Trigger::line && lineOf(*record.instruction) == condition.number)
      happens |= routine.annotation.namesRegisters() ? isPointOf(routine, *record.instruction) : isNewLine;
    happens |= condition.trigger == Trigger::label && isPointOf(routine, *record.instruction);
    if (!happens) continue;
    trigger(slot, routine, event, now);
    if (routine.annotation.isAtPoint(condition)) return;  // which of its places it is makes no difference
  }
}

void Controller::triggerAll(SlotId slot, Trigger which, const Event& event, Cycle now) {
  const Routines* routines = routinesOf(slot);
  if (routines == nullptr) return;
  for (const Routine& routine : routines->all)
    if (routine.isOn(which)) trigger(slot, routine, event, now);
}

void Controller::missed(const sm::Missed& miss, Cycle now) {
  const bool isTexture = miss.request.type == mem::AccessType::textureRead;
  if (miss.context.isHelper() || (miss.request.type != mem::AccessType::globalRead && !isTexture)) return;
  if (routinesOf(miss.context.slot) == nullptr) return;
  fetching_.try_emplace(fetchedBy(miss.request), Waiters{miss.context.slot, {}}).first->second.all.insert(miss.context.slot);
  if (isTexture) return;
  const isa::Instruction& instruction = codeOf(miss.plan).at(miss.pc);
  triggerAll(miss.context.slot, Trigger::miss, {.line = miss.request.address, .instruction = &instruction, .pc = miss.pc}, now);
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

// The launch ends when all routines have that the fault triggers, whose counts it therefore has, unless one of them says how to go on.
// Where that has not helped, it ends at once: the same fault again, with nothing issued between, would come for ever.
bool Controller::faulted(const sm::Faulted& what, Cycle now) {
  if (!what.fault.lane) return false;
  if (!resident_.contains(what.slot)) adopt(what.slot, what.plan);
  const FaultPlace place{what.pc, *what.fault.lane, what.fault.address};
  if (resumed_.contains(what.slot) && parents_[what.slot].fault == place) return false;
  parents_[what.slot].fault = place;
  Event event;
  event.lanes = LaneMask::of(*what.fault.lane);
  event.line = GlobalAddress(what.fault.address);
  event.instruction = &codeOf(what.plan).at(what.pc);
  event.pc = what.pc;
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
  for (const SlotId first : timed_) {
    if (!isFirstOfItsLaunch(first)) continue;
    const Routines* launch = routinesOf(first);
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

// Of those with timers.
bool Controller::isFirstOfItsLaunch(SlotId slot) const {
  for (const SlotId each : timed_)
    if (routinesOf(each) == routinesOf(slot)) return each == slot;
  return false;
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
  ++countsOf(slot, routine)->triggered;
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

RoutineStatistics* Controller::countsOf(SlotId slot, const Routine& routine) const {
  const Parent& parent = parents_[slot];
  return parent.counted[static_cast<std::size_t>(&routine - parent.routines->all.data())];
}

Entry Controller::entryOf(SlotId slot, const Routine& routine, LaneMask lanes, Cycle now) const {
  Entry entry;
  entry.slot = slot;
  entry.routine = &routine;
  entry.plan = parents_[slot].plan;
  entry.counted = countsOf(slot, routine);
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

// --- what they are given
// The values are those at the trigger, though the warp may go on before the routine is deployed: nobody else has the routine's registers,
// so the moves of the paper may be done at once. What the warp is still waiting for, as the value of a load, the routine waits for, too.
void Controller::setArguments(Entry& entry, const Event& event) const {
  const Routine& routine = *entry.routine;
  for (std::size_t i = 0; i < routine.arguments.size(); ++i) {
    const LiveIn what = routine.annotation.in[i];
    const Words& words = routine.arguments[i];
    for (u32 word = 0; what == LiveIn::reg && word < words.count; ++word)
      putRegister(entry, words.first + word, registerAt(*event.instruction, words.operand + word));
    if (what == LiveIn::kept) putKept(entry, words);
    if (what != LiveIn::reg && what != LiveIn::kept && !isOfRoutine(what)) putWords(entry, words, event, what);
  }
  if (event.access == nullptr || !event.access->isLoad) return;
  const isa::Operand& destination = event.instruction->destinations[0];
  if (destination.kind != isa::Operand::Kind::reg) return;
  const auto& in = routine.annotation.in;
  if (std::find(in.begin(), in.end(), LiveIn::value) == in.end()) return;
  for (u32 word = 0; word * kWordBytes < event.access->bytes; ++word) entry.awaited.addRegister(destination.index + word);
}

// A load that has nowhere to put what it loads has none, and one of fewer words than the result takes as many as it has.
void Controller::setResults(Entry& entry, const Event& event) const {
  const Routine& routine = *entry.routine;
  for (std::size_t i = 0; i < routine.results.size(); ++i) {
    const LiveOut what = routine.annotation.out[i];
    const Words& words = routine.results[i];
    for (u32 word = 0; what == LiveOut::kept && word < words.count; ++word)
      entry.results.push_back({control_.spareRegister(entry.slot, words.kept + word), words.first + word});
    if (what != LiveOut::value && what != LiveOut::reg) continue;
    const isa::Instruction& instruction = *event.instruction;
    if (what == LiveOut::value && instruction.destinations[0].kind != isa::Operand::Kind::reg) continue;
    for (u32 word = 0; word < words.count; ++word) {
      if (what == LiveOut::value && word * kWordBytes >= event.access->bytes) break;
      const u32 own = what == LiveOut::value ? instruction.destinations[0].index + word : registerAt(instruction, words.operand + word);
      entry.results.push_back({own, words.first + word});
    }
  }
}

sm::HelperStart::Given& Controller::give(Entry& entry, u32 helperRegister) const {
  sm::HelperStart::Given& given = entry.given.emplace_back();
  given.helperRegister = helperRegister;
  return given;
}

void Controller::putRegister(Entry& entry, u32 helperRegister, u32 ownRegister) const {
  std::ranges::copy(control_.registerOf(entry.slot, ownRegister), give(entry, helperRegister).lanes.begin());
  entry.awaited.addRegister(ownRegister);
}

// No other instance of the routine's group is live for the warp, so that nobody changes them before it has ended.
void Controller::putKept(Entry& entry, const Words& words) const {
  for (u32 word = 0; word < words.count; ++word)
    std::ranges::copy(control_.registerOf(entry.slot, control_.spareRegister(entry.slot, words.kept + word)),
                      give(entry, words.first + word).lanes.begin());
}

void Controller::putWords(Entry& entry, const Words& words, const Event& event, LiveIn what) const {
  for (u32 word = 0; word < words.count; ++word) {
    sm::HelperStart::Given& given = give(entry, words.first + word);
    for (const LaneId lane : entry.lanes) {
      if (lane >= layoutLanes_) break;
      u32& value = given.lanes[lane];
      if (what == LiveIn::address) {
        const u64 address = event.access != nullptr ? event.access->addresses[lane] : u64{event.line};
        value = static_cast<u32>(address >> kWordBits * word);
      } else if (what == LiveIn::bytes) {
        value = word == 0 ? event.access->bytes : 0;
      } else if (what == LiveIn::line) {
        value = word == 0 ? lineOf(*event.instruction) : 0;
      } else if (what == LiveIn::pc) {
        value = word == 0 ? u32{event.pc} : 0;
      } else if (word * kWordBytes < event.access->bytes && event.access->values != nullptr) {
        value = event.access->values[std::size_t{word} * layoutLanes_ + lane];
      }
    }
  }
}

}  // namespace warpwright::mechanisms::assist_warps
