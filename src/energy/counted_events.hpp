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
  std::string statistics;  // the name under which the mechanism collects them
  std::string counter;     // of these, nested names joined by dots: "reads", "state.write_conflicts"; empty: core cycles of the launch
  Energy each;
};

// Statistics that a launch does not have count nothing. Throws Error for a counter that those which it has do not have.
void addCounted(Account& to, std::span<const CountedEvent> events, const stats::NamedStatistics& statistics, u64 cycles);

}  // namespace warpwright::energy
