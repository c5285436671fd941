// Popularity by Zipf's law: the item of rank r (from 0) is drawn with a probability in proportion to 1 / (r + 1)^exponent.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.hpp"

namespace workloads {

class Zipf {
 public:
  Zipf(int items, double exponent) {
    double sum = 0;
    for (int rank = 0; rank < items; ++rank) cumulative_.push_back(sum += std::pow(rank + 1.0, -exponent));
  }
  int draw(Random& random) const {
    const double point = random.uniform() * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), point);
    return int(std::min<size_t>(found - cumulative_.begin(), cumulative_.size() - 1));
  }

 private:
  std::vector<double> cumulative_;
};

}  // namespace workloads
