#include <cmath>
#include <map>

#include "lab/analysis/table.hpp"

namespace warpwright::lab {

Value meanOf(Mean mean, const std::vector<double>& values, const std::vector<double>& weights) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (mean != Mean::arithmetic && values[i] <= 0) return std::nullopt;
    const double term = mean == Mean::arithmetic ? values[i] : mean == Mean::geometric ? std::log(values[i]) : 1 / values[i];
    sum += weights[i] * term;
    weight += weights[i];
  }
  if (weight == 0) return std::nullopt;
  const double average = sum / weight;
  return mean == Mean::arithmetic ? average : mean == Mean::geometric ? std::exp(average) : 1 / average;
}

}  // namespace warpwright::lab
