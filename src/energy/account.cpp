#include "energy/account.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::energy {
namespace {

void equal(stats::Conservation& laws, const std::string& law, const Amount& left, const Amount& right) {
  if (left == right) return;
  const u64 first = left.femtojoules(), second = right.femtojoules();
  // The difference may lie below a femtojoule, or in the bounds.
  laws.equal(law + " in fJ", first, first == second ? second + 1 : second);
}

}  // namespace

void Account::add(std::string_view unit, std::string_view event, u64 count, const Energy& each) {
  add(unit, event, count, Amount(count, each));
}

void Account::merge(const Account& other) {
  for (const Line& line : other.lines_) add(line.unit, line.event, line.count, line.amount);
}

void Account::add(std::string_view unit, std::string_view event, u64 count, const Amount& amount) {
  auto line = std::ranges::find_if(lines_, [&](const Line& each) { return each.unit == unit && each.event == event; });
  if (line == lines_.end()) line = lines_.insert(line, Line{std::string(unit), std::string(event), 0, {}});
  line->count += count;
  line->amount += amount;
  units_[line->unit] += amount;
  total_ += amount;
}

const Account::Line* Account::find(std::string_view unit, std::string_view event) const {
  const auto found = std::ranges::find_if(lines_, [&](const Line& each) { return each.unit == unit && each.event == event; });
  return found == lines_.end() ? nullptr : &*found;
}

Energy Account::of(std::string_view unit) const {
  const auto found = units_.find(unit);
  return found == units_.end() ? Energy{} : found->second.energy();
}

Account Account::rest(std::span<const Account> parts) const {
  Account sum, left;
  for (const Account& part : parts) sum.merge(part);
  for (const Line& line : lines_) {
    const Line* taken = sum.find(line.unit, line.event);
    const u64 count = taken == nullptr ? 0 : std::min(taken->count, line.count);
    left.add(line.unit, line.event, line.count - count, taken == nullptr ? line.amount : line.amount.without(taken->amount));
  }
  return left;
}

void Account::check(stats::Conservation& laws) const {
  std::map<std::string, Amount, std::less<>> ofLines;
  for (const Line& line : lines_) ofLines[line.unit] += line.amount;
  Amount ofUnits;
  for (const auto& [unit, amount] : units_) {
    equal(laws, fmt::format("energy of {} is that of its events", unit), amount, ofLines[unit]);
    ofUnits += amount;
  }
  equal(laws, "energy is that of the units", total_, ofUnits);
}

void checkParts(const Account& whole, std::span<const Account> parts, stats::Conservation& laws) {
  Account sum;
  for (const Account& part : parts) sum.merge(part);
  for (const Account::Line& line : whole.lines()) {
    const std::string law = fmt::format("{}.{} is that of the parts", line.unit, line.event);
    const Account::Line* other = sum.find(line.unit, line.event);
    laws.equal("events of " + law, line.count, other == nullptr ? 0 : other->count);
    equal(laws, "energy of " + law, line.amount, other == nullptr ? Amount() : other->amount);
  }
  // What the parts have and the whole lacks.
  for (const Account::Line& line : sum.lines()) {
    if (whole.find(line.unit, line.event) == nullptr) {
      laws.equal(fmt::format("events of {}.{} is that of the parts", line.unit, line.event), 0, line.count);
    }
  }
}

Figures figuresOf(const Account& account, double seconds) {
  const Energy energy = account.total();
  return {energy, powerOf(energy, seconds), energyDelay(energy, seconds), energyDelay2(energy, seconds)};
}

}  // namespace warpwright::energy
