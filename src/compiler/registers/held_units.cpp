#include "compiler/registers/held_units.hpp"

#include <algorithm>

namespace warpwright::compiler {

HeldUnits::HeldUnits(const ExposedUnits& exposed) : exposed_(&exposed), undefined_(exposed.count()) {
  for (u32 number = 0; number < exposed.count(); ++number) undefined_.set(number);
}

bool HeldUnits::isHeld(u64 key) const { return std::find(held_.begin(), held_.end(), key) != held_.end(); }

void HeldUnits::clear(u32 location) {
  std::erase_if(held_, [location](u64 key) { return locationOf(key) == location; });
}

void HeldUnits::overwrite(u32 location, u32 unit) {
  std::erase_if(held_, [location, unit](u64 key) { return locationOf(key) == location || unitOf(key) == unit; });
  if (exposed_->contains(unit)) undefined_.reset(exposed_->numberOf(unit));
}

void HeldUnits::add(u32 location, u32 unit) {
  const u64 key = keyOf(location, unit);
  if (!isHeld(key)) held_.push_back(key);
}

void HeldUnits::addWhere(u32 from, u32 to) {
  for (std::size_t i = held_.size(); i-- > 0;)
    if (unitOf(held_[i]) == from) add(locationOf(held_[i]), to);
}

void HeldUnits::settle() {
  std::erase_if(held_, [this](u64 key) { return !exposed_->contains(unitOf(key)); });
  std::sort(held_.begin(), held_.end());
}

bool HeldUnits::meet(const HeldUnits& other) {
  std::vector<u64> result;
  auto mine = held_.begin();
  auto theirs = other.held_.begin();
  while (mine != held_.end() || theirs != other.held_.end()) {
    const bool isMine = mine != held_.end() && (theirs == other.held_.end() || *mine <= *theirs);
    const bool isTheirs = theirs != other.held_.end() && (mine == held_.end() || *theirs <= *mine);
    const u64 key = isMine ? *mine : *theirs;
    if ((isMine || isUndefined(unitOf(key))) && (isTheirs || other.isUndefined(unitOf(key)))) result.push_back(key);
    mine += isMine;
    theirs += isTheirs;
  }
  const bool undefinedChanged = undefined_.intersect(other.undefined_);
  const bool changed = undefinedChanged || result != held_;
  held_ = std::move(result);
  return changed;
}

}  // namespace warpwright::compiler
