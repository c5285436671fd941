#include "mechanisms/assist_warps/table.hpp"

#include <algorithm>

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr std::size_t indexOf(Priority priority) { return static_cast<std::size_t>(priority); }

}  // namespace

std::size_t AssistTable::count(auto&& holds) const {
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.routine != nullptr && holds(each); }));
}

bool AssistTable::isLive(SlotId slot, const Routine& routine) const {
  return count([&](const Entry& each) { return each.slot == slot && each.routine->group == routine.group; }) != 0;
}

bool AssistTable::hasRoom(Priority priority) const {
  constexpr std::size_t kNormal = indexOf(Priority::normal), kLow = indexOf(Priority::low);
  return priority == Priority::high || waiting_[kNormal] + waiting_[kLow] + deployed_[kNormal] + deployed_[kLow] < limits_.entries;
}

Entry& AssistTable::insert(Entry entry) {
  ++waiting_[indexOf(entry.priority)];
  if (busy_.size() <= entry.routine->group) busy_.resize(entry.routine->group + 1);
  found_ = {};
  const auto free = std::find_if(entries_.begin(), entries_.end(), [](const Entry& each) { return each.routine == nullptr; });
  if (free == entries_.end()) return entries_.emplace_back(std::move(entry));
  return *free = std::move(entry);
}

void AssistTable::deployed(Entry& entry, u32 helper) {
  entry.helper = helper;
  --waiting_[indexOf(entry.priority)];
  ++deployed_[indexOf(entry.priority)];
  busy_[entry.routine->group].insert(entry.slot);
  if (byHelper_.size() <= helper) byHelper_.resize(helper + 1);
  byHelper_[helper] = &entry;
  found_ = {};
}

void AssistTable::free(Entry& entry) {
  --(entry.waits() ? waiting_ : deployed_)[indexOf(entry.priority)];
  if (entry.helper) {
    busy_[entry.routine->group].erase(entry.slot);
    byHelper_[*entry.helper] = nullptr;
  }
  entry = {};
  found_ = {};
}

bool AssistTable::mayDeploy(const Entry& entry, bool isThrottled) const {
  if (!entry.waits() || busy_[entry.routine->group].contains(entry.slot)) return false;
  if (entry.priority == Priority::high) return true;
  const u32 low = deployed_[indexOf(Priority::low)];
  if (isThrottled || low + deployed_[indexOf(Priority::normal)] >= limits_.mostLive) return false;
  return entry.priority == Priority::normal || low < limits_.lowEntries;
}

std::size_t AssistTable::search(bool isThrottled) const {
  for (const Priority priority : {Priority::high, Priority::normal, Priority::low}) {
    if (waiting_[indexOf(priority)] == 0) continue;
    for (std::size_t step = 1; step <= entries_.size(); ++step) {
      const std::size_t position = (last_ + step) % entries_.size();
      if (entries_[position].priority == priority && mayDeploy(entries_[position], isThrottled)) return position;
    }
  }
  return kNone;
}

std::size_t AssistTable::find(bool isThrottled) {
  std::optional<std::size_t>& found = found_[isThrottled ? 1 : 0];
  if (!found) found = search(isThrottled);
  return *found;
}

Entry* AssistTable::next(bool isThrottled) {
  const std::size_t position = find(isThrottled);
  if (position == kNone) return nullptr;
  last_ = position;
  return &entries_[position];
}

bool AssistTable::holds(SlotId slot) const {
  return count([&](const Entry& each) { return each.priority == Priority::high && (each.slot == slot || each.held.contains(slot)); }) != 0;
}

}  // namespace warpwright::mechanisms::assist_warps
