#include "compiler/registers/held_units.hpp"

#include <algorithm>

namespace warpwright::compiler {

bool HeldUnits::holds(u32 place, u32 unit) const {
  if (isUndefined(unit)) return true;
  const auto found = held_.find(place);
  return found != held_.end() && std::binary_search(found->second.begin(), found->second.end(), unit);
}

std::vector<u32> HeldUnits::unitsIn(u32 place) const {
  const auto found = held_.find(place);
  return found == held_.end() ? std::vector<u32>{} : found->second;
}

void HeldUnits::forget(u32 unit) {
  for (auto& [place, units] : held_) std::erase(units, unit);
}

void HeldUnits::add(u32 place, u32 unit) {
  std::vector<u32>& units = held_[place];
  const auto position = std::lower_bound(units.begin(), units.end(), unit);
  if (position == units.end() || *position != unit) units.insert(position, unit);
}

void HeldUnits::addWhere(u32 from, u32 to) {
  for (auto& [place, units] : held_) {
    if (!std::binary_search(units.begin(), units.end(), from)) continue;
    const auto position = std::lower_bound(units.begin(), units.end(), to);
    if (position == units.end() || *position != to) units.insert(position, to);
  }
}

bool HeldUnits::meet(const HeldUnits& other) {
  std::map<u32, std::vector<u32>> result;
  const auto take = [&](const std::map<u32, std::vector<u32>>& candidates) {
    for (const auto& [place, units] : candidates)
      for (const u32 unit : units)
        if (holds(place, unit) && other.holds(place, unit)) result[place].push_back(unit);
  };
  take(held_);
  take(other.held_);
  for (auto& [place, units] : result) {
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
  }
  std::erase_if(held_, [](const auto& entry) { return entry.second.empty(); });
  const bool undefinedChanged = undefined_.intersect(other.undefined_);
  const bool changed = undefinedChanged || result != held_;
  held_ = std::move(result);
  return changed;
}

}  // namespace warpwright::compiler
