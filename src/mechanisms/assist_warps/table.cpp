#include "mechanisms/assist_warps/table.hpp"

#include <algorithm>

namespace warpwright::mechanisms::assist_warps {

std::size_t AssistTable::count(auto&& holds) const {
  return static_cast<std::size_t>(
      std::count_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.routine != nullptr && holds(each); }));
}

bool AssistTable::isLive(SlotId slot, const Routine& routine) const {
  return count([&](const Entry& each) { return each.slot == slot && each.routine == &routine; }) != 0;
}

bool AssistTable::hasRoom(Priority priority) const {
  return priority == Priority::high || count([](const Entry& each) { return each.priority != Priority::high; }) < limits_.entries;
}

Entry& AssistTable::insert(Entry entry) {
  const auto free = std::find_if(entries_.begin(), entries_.end(), [](const Entry& each) { return each.routine == nullptr; });
  if (free == entries_.end()) return entries_.emplace_back(std::move(entry));
  return *free = std::move(entry);
}

void AssistTable::free(Entry& entry) { entry = {}; }

bool AssistTable::mayDeploy(const Entry& entry, bool isThrottled) const {
  if (!entry.waits()) return false;
  if (entry.priority == Priority::high) return true;
  const auto isDeployed = [](const Entry& each) { return each.helper && each.priority != Priority::high; };
  if (isThrottled || count(isDeployed) >= limits_.mostLive) return false;
  if (entry.priority == Priority::normal) return true;
  return count([](const Entry& each) { return each.helper && each.priority == Priority::low; }) < limits_.lowEntries;
}

std::size_t AssistTable::find(bool isThrottled) const {
  for (const Priority priority : {Priority::high, Priority::normal, Priority::low}) {
    for (std::size_t step = 1; step <= entries_.size(); ++step) {
      const std::size_t position = (last_ + step) % entries_.size();
      if (entries_[position].priority == priority && mayDeploy(entries_[position], isThrottled)) return position;
    }
  }
  return kNone;
}

Entry* AssistTable::next(bool isThrottled) {
  const std::size_t position = find(isThrottled);
  if (position == kNone) return nullptr;
  last_ = position;
  return &entries_[position];
}

bool AssistTable::anyWaits() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& each) { return each.waits(); });
}

Entry* AssistTable::ofHelper(u32 helper) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.routine != nullptr && each.helper == helper; });
  return found == entries_.end() ? nullptr : &*found;
}

bool AssistTable::holds(SlotId slot) const {
  return count([&](const Entry& each) { return each.slot == slot && each.priority == Priority::high; }) != 0;
}

u32 AssistTable::live() const {
  return static_cast<u32>(count([](const Entry& each) { return each.helper.has_value(); }));
}

}  // namespace warpwright::mechanisms::assist_warps
