// Events that a mechanism brings: numbers of its own statistics, and what each costs.
#pragma once

#include <span>
#include <string>

#include "energy/account.hpp"
#include "energy/quantity.hpp"
#include "stats/named_statistics.hpp"

namespace warpwright::energy {

struct CountedEvent {
  std::string unit, name;
  std::string counter;  // of the mechanism's statistics, nested names joined by dots: "reads", "state.write_conflicts"
  Energy each;
};

// Throws Error for a counter that the statistics have not.
void addCounted(Account& to, std::span<const CountedEvent> events, const stats::AnyStatistics& statistics);

}  // namespace warpwright::energy
