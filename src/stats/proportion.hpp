// How well a sample tells a share of the whole.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/types.hpp"

namespace warpwright::stats {

struct Interval {
  double low = 0, high = 0;
};

// The interval of 95 % confidence for the share of which `part` of `all` draws were seen: E. B. Wilson's score interval (Journal of the
// American Statistical Association 22, 1927), which unlike the normal approximation stays between 0 and 1 and has a width where all or none
// were seen. Without a draw it is everything.
inline Interval proportion(u64 part, u64 all) {
  if (all == 0) return {0, 1};
  constexpr double kQuantile = 1.959963984540054;  // of the normal distribution, at 97.5 %
  const double n = static_cast<double>(all), share = static_cast<double>(part) / n, square = kQuantile * kQuantile;
  const double centre = share + square / (2 * n), half = kQuantile * std::sqrt(share * (1 - share) / n + square / (4 * n * n));
  const double scale = 1 + square / n;
  return {std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)};
}

}  // namespace warpwright::stats
