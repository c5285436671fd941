// Least squares with unknowns that are not negative.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpwright::energy {

// min |A x - b|^2 over x >= 0. The normal equations A'A and A'b are all that it needs of A and b.
class NonnegativeFit {
 public:
  explicit NonnegativeFit(std::size_t unknowns) : unknowns_(unknowns), squares_(unknowns * unknowns), right_(unknowns) {}

  // A row of A with its element of b.
  void add(std::span<const double> row, double right);
  // An unknown that the rows do not determine, as its column is nothing, or a combination of those before it. Nothing: all are determined.
  std::optional<std::size_t> undetermined() const;
  // Of determined unknowns.
  std::vector<double> solve() const;

 private:
  double square(std::size_t row, std::size_t column) const { return squares_[row * unknowns_ + column]; }
  double slope(std::size_t unknown, const std::vector<double>& x) const;

  std::size_t unknowns_;
  std::vector<double> squares_;  // A'A
  std::vector<double> right_;    // A'b
};

}  // namespace warpwright::energy
