#include "mechanisms/assist_warps/table.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr std::size_t indexOf(Priority priority) { return static_cast<std::size_t>(priority); }

}  // namespace

bool AssistTable::isLive(SlotId slot, const Routine& routine) const {
  bool isLive = false;
  ofWarp_[slot].forEach([&](std::size_t position) { isLive |= entries_[position].routine->group == routine.group; });
  return isLive;
}

bool AssistTable::hasRoom(Priority priority) const {
  constexpr std::size_t kNormal = indexOf(Priority::normal), kLow = indexOf(Priority::low);
  return priority == Priority::high || waiting_[kNormal] + waiting_[kLow] + deployed_[kNormal] + deployed_[kLow] < limits_.entries;
}

Entry& AssistTable::insert(Entry entry) {
  ++waiting_[indexOf(entry.priority)];
  if (busy_.size() <= entry.routine->group) busy_.resize(entry.routine->group + 1);
  const std::size_t position = free_.nextFrom(0).value_or(entries_.size());
  if (position == entries_.size()) entries_.emplace_back();
  free_.set(position, false);
  Entry& placed = entries_[position] = std::move(entry);
  placed.position = position;
  ofWarp_[placed.slot].set(position, true);
  refresh(placed);
  return placed;
}

void AssistTable::deployed(Entry& entry, u32 helper) {
  entry.helper = helper;
  --waiting_[indexOf(entry.priority)];
  ++deployed_[indexOf(entry.priority)];
  busy_[entry.routine->group].insert(entry.slot);
  if (byHelper_.size() <= helper) byHelper_.resize(helper + 1);
  byHelper_[helper] = &entry;
  refreshAllOf(entry.slot);
}

void AssistTable::ended(Entry& entry) {
  entry.hasEnded = true;
  byHelper_[*entry.helper] = nullptr;
}

void AssistTable::free(Entry& entry) {
  --(entry.waits() ? waiting_ : deployed_)[indexOf(entry.priority)];
  if (entry.helper) busy_[entry.routine->group].erase(entry.slot);
  if (entry.helper && !entry.hasEnded) byHelper_[*entry.helper] = nullptr;
  stagedWith(entry) -= entry.staged;
  const SlotId slot = entry.slot;
  forget(entry);
  refreshAllOf(slot);
}

void AssistTable::forget(Entry& entry) {
  const std::size_t position = entry.position;
  Ready& ready = ready_[indexOf(entry.priority)];
  ready.begin.set(position, false);
  ready.goOn.set(position, false);
  ofWarp_[entry.slot].set(position, false);
  free_.set(position, true);
  entry = {};
}

// --- the buffer
u32& AssistTable::stagedWith(const Entry& entry) { return entry.priority == Priority::low ? stagedLow_ : stagedOfWarp_[entry.slot]; }

void AssistTable::stage(Entry& entry) {
  ++entry.staged;
  ++entry.next;
  ++stagedWith(entry);
  refreshAllOf(entry.slot);
}

void AssistTable::issued(Entry& entry) {
  --entry.staged;
  --stagedWith(entry);
  refreshAllOf(entry.slot);
}

void AssistTable::flush(Entry& entry, Pc next) {
  stagedWith(entry) -= entry.staged;
  entry.staged = 0;
  entry.next = next;
  refreshAllOf(entry.slot);
}

void AssistTable::isThrough(Entry& entry) {
  entry.isThrough = true;
  refresh(entry);
}

// --- the choice
void AssistTable::refreshAllOf(SlotId slot) {
  ofWarp_[slot].forEach([&](std::size_t position) { refresh(entries_[position]); });
}

void AssistTable::throttle(const Throttled& throttled) {
  if (throttled == throttled_) return;
  throttled_ = throttled;
  for (Entry& entry : entries_)
    if (entry.waits()) refresh(entry);
}

void AssistTable::refresh(Entry& entry) {
  const bool hasRoom = entry.priority == Priority::low || stagedOfWarp_[entry.slot] < limits_.warpEntries;
  const bool isAlone = !busy_[entry.routine->group].contains(entry.slot);
  Ready& ready = ready_[indexOf(entry.priority)];
  const bool isStopped = throttled_.stops(*entry.routine, entry.priority);
  entry.wasThrottled |= isStopped && entry.waits();
  ready.begin.set(entry.position, hasRoom && entry.waits() && isAlone && !isStopped);
  ready.goOn.set(entry.position, hasRoom && entry.hasMore());
}

// The next behind the last that was chosen, going round.
std::optional<std::size_t> AssistTable::nextOf(const Ready& ready, bool mayBegin) {
  const std::optional<std::size_t> goesOn = ready.goOn.nextFrom(ready.last + 1);
  const std::optional<std::size_t> begins = mayBegin ? ready.begin.nextFrom(ready.last + 1) : std::nullopt;
  if (!goesOn || !begins) return goesOn ? goesOn : begins;
  const auto turn = [&](std::size_t position) { return std::pair(position <= ready.last, position); };
  return turn(*goesOn) < turn(*begins) ? goesOn : begins;
}

bool AssistTable::mayBegin(Priority priority) const {
  if (priority == Priority::high) return true;
  return deployed_[indexOf(Priority::low)] + deployed_[indexOf(Priority::normal)] < limits_.mostLive;
}

std::optional<std::size_t> AssistTable::search() const {
  for (const Priority priority : {Priority::high, Priority::normal, Priority::low}) {
    if (priority == Priority::low && stagedLow_ >= limits_.lowEntries) continue;
    const Ready& ready = ready_[indexOf(priority)];
    const std::optional<std::size_t> found = nextOf(ready, mayBegin(priority));
    if (found) return found;
  }
  return std::nullopt;
}

Entry* AssistTable::next() {
  const std::optional<std::size_t> position = search();
  if (!position) return nullptr;
  Entry& entry = entries_[*position];
  ready_[indexOf(entry.priority)].last = *position;
  return &entry;
}

bool AssistTable::putsOffFault(SlotId slot) const {
  bool putsOff = false;
  ofWarp_[slot].forEach([&](std::size_t position) { putsOff |= entries_[position].putsOffFault; });
  return putsOff;
}

bool AssistTable::holds(SlotId slot) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& each) {
    return each.routine != nullptr && each.priority == Priority::high && (each.slot == slot || each.held.contains(slot));
  });
}

}  // namespace warpwright::mechanisms::assist_warps
