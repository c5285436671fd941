// Counts by a number whose range is known when a program runs only.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::stats {

class Tally {
 public:
  void add(std::size_t index, u64 times) {
    if (index >= counts_.size()) counts_.resize(index + 1);
    counts_[index] += times;
  }
  const std::vector<u64>& counts() const { return counts_; }
  bool operator==(const Tally&) const = default;

  friend void merge(Tally& into, const Tally& from) {
    for (std::size_t i = 0; i < from.counts_.size(); ++i) into.add(i, from.counts_[i]);
  }
  // As long as the later one, so that an index with nothing in between counts 0.
  friend Tally delta(const Tally& later, const Tally& earlier) {
    Tally result = later;
    for (std::size_t i = 0; i < earlier.counts_.size(); ++i) result.counts_[i] -= earlier.counts_[i];
    return result;
  }

 private:
  std::vector<u64> counts_;
};

}  // namespace warpwright::stats
