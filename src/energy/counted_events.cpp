#include "energy/counted_events.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::energy {
namespace {

using Counts = std::map<std::string, u64, std::less<>>;

Counts countsOf(const stats::AnyStatistics& statistics) {
  Counts counts;
  statistics.forEachNumber([&](const stats::AnyStatistics::Number& number) {
    if (number.value) counts[number.name] = static_cast<u64>(*number.value);
  });
  return counts;
}

[[noreturn]] void refuseUnknown(const CountedEvent& event, const Counts& counts) {
  std::vector<std::string> known;
  for (const auto& [name, count] : counts) known.push_back(name);
  const std::string near = nearestName(event.counter, known);
  throw Error(fmt::format("the event {}.{} counts by '{}', which nothing counts", event.unit, event.name, event.counter), {},
              near.empty() ? "name a counter of the mechanism's statistics" : fmt::format("did you mean '{}'?", near));
}

}  // namespace

void addCounted(Account& to, std::span<const CountedEvent> events, const stats::NamedStatistics& statistics, u64 cycles) {
  std::map<std::string, Counts, std::less<>> known;
  for (const CountedEvent& event : events) {
    if (event.counter.empty()) {
      to.add(event.unit, event.name, cycles, event.each);
      continue;
    }
    const stats::AnyStatistics* counted = statistics.find(event.statistics);
    if (counted == nullptr) continue;
    const auto [counts, isNew] = known.try_emplace(event.statistics);
    if (isNew) counts->second = countsOf(*counted);
    const auto found = counts->second.find(event.counter);
    if (found == counts->second.end()) refuseUnknown(event, counts->second);
    to.add(event.unit, event.name, found->second, event.each);
  }
}

}  // namespace warpwright::energy
