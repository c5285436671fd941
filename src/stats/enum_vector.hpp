// One counter for each value of an enumeration.
#pragma once

#include <array>
#include <numeric>

#include "stats/statistics.hpp"

namespace warpwright::stats {

// E counts from 0 to N - 1 and has a function `std::string_view name(E)` in its namespace.
template <class E, std::size_t N>
class EnumVector {
 public:
  u64& operator[](E index) { return counters_[static_cast<std::size_t>(index)]; }
  u64 operator[](E index) const { return counters_[static_cast<std::size_t>(index)]; }
  u64 total() const { return std::accumulate(counters_.begin(), counters_.end(), u64{0}); }
  bool operator==(const EnumVector&) const = default;

  friend void merge(EnumVector& into, const EnumVector& from) {
    for (std::size_t i = 0; i < N; ++i) into.counters_[i] += from.counters_[i];
  }
  friend EnumVector delta(const EnumVector& later, const EnumVector& earlier) {
    EnumVector result;
    for (std::size_t i = 0; i < N; ++i) result.counters_[i] = later.counters_[i] - earlier.counters_[i];
    return result;
  }

 private:
  std::array<u64, N> counters_{};
};

}  // namespace warpwright::stats
