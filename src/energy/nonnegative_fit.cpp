#include "energy/nonnegative_fit.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::energy {

void NonnegativeFit::add(std::span<const double> row, double right) {
  for (std::size_t i = 0; i < unknowns_; ++i) {
    for (std::size_t j = 0; j < unknowns_; ++j) squares_[i * unknowns_ + j] += row[i] * row[j];
    right_[i] += row[i] * right;
  }
}

// Cholesky's decomposition of the normal equations, with columns of length 1: what is left of a pivot is the squared sine of the angle
// between a column and the space of those before it.
std::optional<std::size_t> NonnegativeFit::undetermined() const {
  constexpr double kLeastSquaredSine = 1e-9;
  std::vector<double> factor(squares_.size());
  for (std::size_t i = 0; i < unknowns_; ++i) {
    if (square(i, i) <= 0) return i;
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = square(i, j) / std::sqrt(square(i, i) * square(j, j));
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i * unknowns_ + k] * factor[j * unknowns_ + k];
      if (i == j && rest < kLeastSquaredSine) return i;
      factor[i * unknowns_ + j] = i == j ? std::sqrt(rest) : rest / factor[j * unknowns_ + j];
    }
  }
  return std::nullopt;
}

double NonnegativeFit::slope(std::size_t unknown, const std::vector<double>& x) const {
  double result = -right_[unknown];
  for (std::size_t j = 0; j < unknowns_; ++j) result += square(unknown, j) * x[j];
  return result;
}

// One unknown after the other goes to where it is best, or to 0: this ends at the minimum, as the problem is convex.
std::vector<double> NonnegativeFit::solve() const {
  constexpr int kMostRounds = 1'000'000;
  constexpr double kStill = 1e-13;
  std::vector<double> x(unknowns_, 0.0);
  for (int round = 0; round < kMostRounds; ++round) {
    double moved = 0, largest = 0;
    for (std::size_t j = 0; j < unknowns_; ++j) {
      const double next = std::max(0.0, x[j] - slope(j, x) / square(j, j));
      moved = std::max(moved, std::abs(next - x[j]));
      largest = std::max(largest, next);
      x[j] = next;
    }
    if (moved <= kStill * largest) break;
  }
  return x;
}

}  // namespace warpwright::energy
