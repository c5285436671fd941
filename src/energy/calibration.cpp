#include "energy/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "energy/nonnegative_fit.hpp"

namespace warpwright::energy {
namespace {

std::vector<double> fitted(const Measurements& measurements) {
  const std::vector<std::string>& components = measurements.components;
  if (measurements.rows.size() < components.size()) {
    throw Error(fmt::format("{} benchmarks cannot determine {} components", measurements.rows.size(), components.size()), {},
                "measure more benchmarks, or join components into one column");
  }
  NonnegativeFit fit(components.size());
  for (const Measurement& row : measurements.rows) {
    std::vector<double> shares = row.modelled;
    for (double& share : shares) share /= row.watts;
    fit.add(shares, 1);
  }
  if (const auto column = fit.undetermined()) {
    throw Error(fmt::format("the benchmarks do not tell '{}' from the other components", components[*column]), {},
                "add a benchmark in which its share differs, or join it with another column");
  }
  return fit.solve();
}

}  // namespace

double Calibration::meanError() const {
  const double sum = std::accumulate(residuals.begin(), residuals.end(), 0.0,
                                     [](double all, const Residual& each) { return all + std::abs(each.error()); });
  return residuals.empty() ? 0 : sum / static_cast<double>(residuals.size());
}

double Calibration::worstError() const {
  double worst = 0;
  for (const Residual& each : residuals) worst = std::max(worst, std::abs(each.error()));
  return worst;
}

Calibration calibrate(const Measurements& measurements) {
  const std::vector<double> factors = fitted(measurements);
  Calibration result;
  for (std::size_t i = 0; i < factors.size(); ++i) result.factors.push_back({measurements.components[i], factors[i]});
  for (const Measurement& row : measurements.rows) {
    const double before = std::accumulate(row.modelled.begin(), row.modelled.end(), 0.0);
    const double after = std::inner_product(row.modelled.begin(), row.modelled.end(), factors.begin(), 0.0);
    result.residuals.push_back({row.benchmark, row.watts, before, after});
  }
  return result;
}

}  // namespace warpwright::energy
