// The plain single-threaded algorithm.
#pragma once

#include <cstddef>
#include <vector>

namespace workloads {

inline void referenceSaxpy(float alpha, const std::vector<float>& x, std::vector<float>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = alpha * x[i] + y[i];
}

}  // namespace workloads
