#include "compiler/schedule/pressure.hpp"

#include <algorithm>

namespace warpwright::compiler {

Pressure::Pressure(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex, u32 predicates)
    : function_(function), predicates_(static_cast<s32>(predicates)) {
  liveness.liveIn(blockIndex).forEach([&](u32 unit) {
    if (isCounted(unit)) units_[unit].live = true;
  });
  for (u32 i = block.begin; i < block.end; ++i) forEachSourceUnit(function, function.code[i], [&](u32 unit) { ++units_[unit].reads; });
  liveness.liveOut(blockIndex).forEach([&](u32 unit) { units_[unit].leaves = true; });
  for (const auto& [unit, state] : units_)
    if (state.live) ++countOf(live_, unit);
  mostWords_ = words();
}

Pressure::State Pressure::stateOf(u32 unit) const {
  const auto found = units_.find(unit);
  return found == units_.end() ? State{} : found->second;
}

bool Pressure::startsBy(u32 unit) const {
  const State state = stateOf(unit);
  return isCounted(unit) && !state.live && (state.leaves || state.reads > 0);
}

Live Pressure::change(const MachineInstruction& instruction) const {
  Live result;
  forEachDestinationUnit(function_, instruction, [&](u32 unit) {
    if (startsBy(unit)) ++countOf(result, unit);
  });
  for (const u32 unit : read(instruction)) {
    const State state = stateOf(unit);
    if (state.live && !state.leaves && state.reads == timesRead(instruction, unit)) --countOf(result, unit);
  }
  return result;
}

void Pressure::issue(const MachineInstruction& instruction) {
  forEachSourceUnit(function_, instruction, [&](u32 unit) { --units_[unit].reads; });
  for (const u32 unit : read(instruction)) {
    State& state = units_[unit];
    if (!state.live || state.leaves || state.reads > 0) continue;
    state.live = false;
    --countOf(live_, unit);
  }
  forEachDestinationUnit(function_, instruction, [&](u32 unit) {
    if (!startsBy(unit)) return;
    units_[unit].live = true;
    ++countOf(live_, unit);
  });
  mostWords_ = std::max(mostWords_, words());
}

std::vector<u32> Pressure::read(const MachineInstruction& instruction) const {
  std::vector<u32> units;
  forEachSourceUnit(function_, instruction, [&](u32 unit) {
    if (isCounted(unit)) units.push_back(unit);
  });
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

u32 Pressure::timesRead(const MachineInstruction& instruction, u32 wanted) const {
  u32 times = 0;
  forEachSourceUnit(function_, instruction, [&](u32 unit) { times += unit == wanted; });
  return times;
}

RestInOrder::RestInOrder(const MachineFunction& function, const BasicBlock& block, std::vector<u32> order, Pressure pressure)
    : function_(function),
      blockBegin_(block.begin),
      order_(std::move(order)),
      placeOf_(order_.size()),
      isIssued_(order_.size()),
      after_(order_.size()) {
  for (u32 place = 0; place < order_.size(); ++place) {
    placeOf_[order_[place]] = place;
    pressure.issue(at(order_[place]));
    after_[place] = pressure.live();
    forEachSourceUnit(function, at(order_[place]), [&](u32 unit) { readPlaces_[unit].push_back(place); });
  }
}

bool RestInOrder::hasRoomFor(u32 index, const Pressure& pressure, u32 words) const {
  const Live change = pressure.change(at(index));
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
  const MachineInstruction& instruction = at(index);
  const u32 place = placeOf_[index];
  isIssued_[place] = true;
  while (first_ < order_.size() && isIssued_[first_]) ++first_;
  if (first_ > place) return;
  for (const u32 unit : pressure.read(instruction)) {
    if (pressure.leaves(unit)) continue;
    if (const u32 last = lastRead(unit); last <= place) addBetween(last, place, unit, -1, pressure);
  }
  forEachDestinationUnit(function_, instruction, [&](u32 unit) {
    if (pressure.startsBy(unit)) addBetween(first_, place, unit, 1, pressure);
  });
}

void RestInOrder::addBetween(u32 begin, u32 end, u32 unit, s32 count, const Pressure& pressure) {
  for (u32 place = begin; place < end; ++place) pressure.countOf(after_[place], unit) += count;
}

// Where the unit is read last of what is left; the beginning of it where nothing reads it there any more.
u32 RestInOrder::lastRead(u32 unit) const {
  const std::vector<u32>& places = readPlaces_.at(unit);
  for (auto each = places.rbegin(); each != places.rend(); ++each)
    if (!isIssued_[*each]) return *each;
  return first_;
}

}  // namespace warpwright::compiler
