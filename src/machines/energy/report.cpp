#include "machines/energy/report.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "energy/events.hpp"
#include "mechanisms/mechanism.hpp"
#include "profile/units.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

using energy::Account;
using energy::Energy;
using stats::Json;

// In which the machine took what it is charged: from the launch to the last answer.
double secondsOf(const TimingCounters& counters, u32 coreClockKhz) {
  return static_cast<double>(counters.gpu.cycles) / (static_cast<double>(coreClockKhz) * 1e3);
}

template <class Unit>
Json range(const energy::Quantity<Unit>& quantity) {
  return {{"low", quantity.low}, {"value", quantity.value}, {"high", quantity.high}};
}

Json eventsJson(const Account& account) {
  Json events = Json::object();
  for (const Account::Line& line : account.lines()) {
    Json event = {{"count", line.count}};
    event.update(range(line.amount.energy()));
    events[line.unit][line.event] = std::move(event);
  }
  return events;
}

template <class Unit>
std::string rangeText(const energy::Quantity<Unit>& quantity, std::string_view unit) {
  return fmt::format("{:>10}   {} to {}", scaledText(quantity.value, unit), scaledText(quantity.low, unit),
                     scaledText(quantity.high, unit));
}

Json unitsJson(const Account& account) {
  Json units = Json::object();
  for (const auto& [unit, amount] : account.units()) units[unit] = range(amount.energy());
  return units;
}

}  // namespace

std::string scaledText(double value, std::string_view unit) {
  static constexpr std::array<std::string_view, 6> kPrefixes = {"", "m", "u", "n", "p", "f"};
  std::size_t prefix = 0;
  while (value != 0 && value < 0.9995 && prefix + 1 < kPrefixes.size()) {
    value *= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g} {}{}", value, kPrefixes[prefix], unit);
}

Json partJson(const Account& account) { return {{"total", range(account.total())}, {"units", unitsJson(account)}}; }

Json energyJson(const EnergyModel& model, const TimingCounters& counters, EnergyDetail detail) {
  const Account account = model.account(counters.gpu);
  const double seconds = secondsOf(counters, model.coreClockKhz());
  Json result = {{"table", model.table()}, {"nanometres", model.nanometres()}, {"seconds", seconds}, {"total", range(account.total())}};
  // A launch that never began took neither energy nor time.
  const energy::Figures figures = seconds > 0 ? figuresOf(account, seconds) : energy::Figures{};
  result["power"] = range(figures.power);
  result["energy_delay"] = range(figures.energyDelay);
  result["energy_delay_squared"] = range(figures.energyDelay2);
  result["units"] = unitsJson(account);
  if (detail == EnergyDetail::events) result["events"] = eventsJson(account);
  return result;
}

Json emptyEnergyJson() {
  Json result = {{"table", ""}, {"nanometres", 0.0}, {"seconds", 0.0}};
  for (const char* name : {"total", "power", "energy_delay", "energy_delay_squared"}) result[name] = range(Energy{});
  const auto add = [&](const std::string& unit, const std::string& event) {
    result["units"][unit] = range(Energy{});
    result["events"][unit][event] = range(Energy{});
    result["events"][unit][event]["count"] = 0;
  };
  for (const energy::Event& event : energy::events()) add(event.unit, event.name);
  for (const mechanisms::Kind* kind : mechanisms::catalogue())
    for (const std::string_view path : kind->energyPaths)
      add(std::string(path.substr(0, path.find('.'))), std::string(path.substr(path.find('.') + 1)));
  return result;
}

void appendEnergy(profile::TextPage& page, const EnergyModel& model, const TimingCounters& counters) {
  const Account account = model.account(counters.gpu);
  const double seconds = secondsOf(counters, model.coreClockKhz());
  page.heading(
      fmt::format("Energy (table {}, {:g} nm; what may be said of a chip lies between the bounds)", model.table(), model.nanometres()));
  page.row("  {:<24}{}", "energy", rangeText(account.total(), "J"));
  if (seconds > 0) page.row("  {:<24}{}", "average power", rangeText(figuresOf(account, seconds).power, "W"));
  std::vector<std::pair<std::string, Energy>> units;
  for (const auto& [unit, amount] : account.units()) units.emplace_back(unit, amount.energy());
  std::ranges::sort(units, [](const auto& a, const auto& b) { return a.second.value > b.second.value; });
  for (const auto& [unit, energy] : units) {
    if (energy.value == 0) continue;
    page.row("  {:<24}{:>10}{:>9}", unit, scaledText(energy.value, "J"),
             profile::percentText(stats::Ratio(energy.value / account.total().value)));
  }
}

}  // namespace warpwright::machines
