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

Value meanOfRows(Mean mean, const std::vector<const Row*>& rows, std::size_t column, bool byApplication) {
  std::map<std::string, u64> ofApplication;
  for (const Row* row : rows) ++ofApplication[row->application];
  std::vector<double> values, weights;
  for (const Row* row : rows) {
    values.push_back(*row->values[column]);
    weights.push_back(byApplication ? 1.0 / static_cast<double>(ofApplication[row->application]) : 1.0);
  }
  return meanOf(mean, values, weights);
}

}  // namespace warpwright::lab
