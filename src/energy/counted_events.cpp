#include "energy/counted_events.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::energy {

void addCounted(Account& to, std::span<const CountedEvent> events, const stats::AnyStatistics& statistics) {
  std::map<std::string, u64, std::less<>> counts;
  statistics.forEachNumber([&](const stats::AnyStatistics::Number& number) {
    if (number.value) counts[number.name] = static_cast<u64>(*number.value);
  });
  for (const CountedEvent& event : events) {
    const auto found = counts.find(event.counter);
    if (found == counts.end()) {
      std::vector<std::string> known;
      for (const auto& [name, count] : counts) known.push_back(name);
      const std::string near = nearestName(event.counter, known);
      throw Error(fmt::format("the event {}.{} counts by '{}', which nothing counts", event.unit, event.name, event.counter), {},
                  near.empty() ? "name a counter of the mechanism's statistics" : fmt::format("did you mean '{}'?", near));
    }
    to.add(event.unit, event.name, found->second, event.each);
  }
}

}  // namespace warpwright::energy
