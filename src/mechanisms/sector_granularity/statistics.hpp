// What sector granularity counts.
#pragma once

#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::sector_granularity {

struct Statistics {
  u64 loads = 0, widened = 0, sectorsAsked = 0, sectorsAlong = 0;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("loads", "requests", "on their way to the first-level data cache, one a line", &S::loads);
    field("widened", "requests", "of them, those that would have sectors come along", &S::widened);
    field("sectors_asked", "sectors", "that lanes of the loads touch", &S::sectorsAsked);
    field("sectors_along", "sectors", "that are to come along when a load misses", &S::sectorsAlong);
  }
  static constexpr void figures(auto&& figure) {
    using S = Statistics;
    figure("widened", "share of loads", "that would have sectors come along", [](const S& s) { return stats::ratio(s.widened, s.loads); });
  }
  bool operator==(const Statistics&) const = default;
};

}  // namespace warpwright::mechanisms::sector_granularity
