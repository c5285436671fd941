#include "compiler/schedule/pressure.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::compiler {

Pressure::Pressure(const BlockUnits& units, u32 predicates)
    : units_(&units), predicates_(static_cast<s32>(predicates)), live_(units.coming()) {
  for (const BlockUnits::Unit& unit : units.units()) states_.push_back({unit.comes, unit.reads});
  mostWords_ = words();
}

Live Pressure::change(u32 instruction) const {
  Live result;
  for (const u32 unit : units_->writes(instruction))
    if (startsBy(unit)) ++units_->countOf(result, unit);
  for (const auto& [unit, times] : units_->reads(instruction))
    if (states_[unit].live && !units_->units()[unit].leaves && states_[unit].readsLeft == times) --units_->countOf(result, unit);
  return result;
}

void Pressure::issue(u32 instruction) {
  for (const auto& [unit, times] : units_->reads(instruction)) {
    State& state = states_[unit];
    state.readsLeft -= times;
    if (!state.live || units_->units()[unit].leaves || state.readsLeft > 0) continue;
    state.live = false;
    --units_->countOf(live_, unit);
  }
  for (const u32 unit : units_->writes(instruction)) {
    if (!startsBy(unit)) continue;
    states_[unit].live = true;
    ++units_->countOf(live_, unit);
  }
  mostWords_ = std::max(mostWords_, words());
}

RestInOrder::RestInOrder(const BlockUnits& units, std::vector<u32> order, Pressure pressure)
    : units_(units),
      order_(std::move(order)),
      placeOf_(order_.size()),
      isIssued_(order_.size()),
      after_(order_.size()),
      readPlaces_(units.units().size()) {
  for (u32 place = 0; place < order_.size(); ++place) {
    placeOf_[order_[place]] = place;
    pressure.issue(order_[place]);
    after_[place] = pressure.live();
    for (const auto& [unit, times] : units.reads(order_[place])) readPlaces_[unit].push_back(place);
  }
}

bool RestInOrder::hasRoomFor(u32 index, const Pressure& pressure, u32 words) const {
  const Live change = pressure.change(index);
  const auto fits = [&](Live live) {
    live.words += change.words;
    live.predicates += change.predicates;
    return pressure.wordsFor(live) <= words;
  };
  if (placeOf_[index] == first_) return true;
  if (!fits(pressure.live())) return false;
  for (u32 place = first_; place < placeOf_[index]; ++place)
    if (!isIssued_[place] && !fits(after_[place])) return false;
  return true;
}

void RestInOrder::issue(u32 index, const Pressure& pressure) {
  const u32 place = placeOf_[index];
  isIssued_[place] = true;
  while (first_ < order_.size() && isIssued_[first_]) ++first_;
  if (first_ > place) return;
  for (const auto& [unit, times] : units_.reads(index)) {
    if (units_.units()[unit].leaves) continue;
    if (const u32 last = lastRead(unit); last <= place) addBetween(last, place, unit, -1);
  }
  for (const u32 unit : units_.writes(index))
    if (pressure.startsBy(unit)) addBetween(first_, place, unit, 1);
}

void RestInOrder::addBetween(u32 begin, u32 end, u32 unit, s32 count) {
  for (u32 place = begin; place < end; ++place) units_.countOf(after_[place], unit) += count;
}

// Where the unit is read last of what is left; the beginning of it where nothing reads it there any more.
u32 RestInOrder::lastRead(u32 unit) const {
  const std::vector<u32>& places = readPlaces_[unit];
  for (auto each = places.rbegin(); each != places.rend(); ++each)
    if (!isIssued_[*each]) return *each;
  return first_;
}

}  // namespace warpwright::compiler
