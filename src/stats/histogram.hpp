// Distributions of small numbers.
#pragma once

#include <array>
#include <bit>
#include <string>

#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::stats {

// Bin i holds the value i.
struct Linear {
  static constexpr std::size_t bin(u64 value) { return value; }
  static constexpr u64 lowest(std::size_t bin) { return bin; }
};

// Bin 0 holds 0, bin i from 2^(i-1) up to 2^i - 1.
struct PowersOfTwo {
  static constexpr std::size_t bin(u64 value) { return static_cast<std::size_t>(std::bit_width(value)); }
  static constexpr u64 lowest(std::size_t bin) { return bin == 0 ? 0 : u64{1} << (bin - 1); }
};

// The last of the N bins holds everything above it too; count, sum and mean stay exact.
template <class Scale, std::size_t N>
class Histogram {
 public:
  void add(u64 value, u64 times = 1) {
    const std::size_t bin = Scale::bin(value);
    bins_[bin < N ? bin : N - 1] += times;
    count_ += times;
    sum_ += value * times;
  }

  u64 count() const { return count_; }
  u64 sum() const { return sum_; }
  Ratio mean() const { return ratio(sum_, count_); }
  static constexpr std::size_t bins() { return N; }
  u64 operator[](std::size_t bin) const { return bins_[bin]; }
  bool operator==(const Histogram&) const = default;

  // "4", "4-7", or for the last bin "64+".
  static std::string label(std::size_t bin) {
    const u64 lowest = Scale::lowest(bin);
    if (bin + 1 == N) return std::to_string(lowest) + "+";
    const u64 highest = Scale::lowest(bin + 1) - 1;
    return highest == lowest ? std::to_string(lowest) : std::to_string(lowest) + "-" + std::to_string(highest);
  }

  friend void merge(Histogram& into, const Histogram& from) {
    for (std::size_t i = 0; i < N; ++i) into.bins_[i] += from.bins_[i];
    into.count_ += from.count_;
    into.sum_ += from.sum_;
  }
  friend Histogram delta(const Histogram& later, const Histogram& earlier) {
    Histogram result;
    for (std::size_t i = 0; i < N; ++i) result.bins_[i] = later.bins_[i] - earlier.bins_[i];
    result.count_ = later.count_ - earlier.count_;
    result.sum_ = later.sum_ - earlier.sum_;
    return result;
  }

 private:
  std::array<u64, N> bins_{};
  u64 count_ = 0, sum_ = 0;
};

}  // namespace warpwright::stats
