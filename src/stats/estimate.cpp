#include "stats/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "stats/student.hpp"

namespace warpwright::stats {
namespace {

struct Sums {
  double size = 0;
  Estimate value;
};

Sums sumsOf(std::span<const Measurement> measured) {
  Sums sums;
  for (const Measurement& each : measured) {
    sums.size += each.size;
    sums.value = sums.value + each.value;
  }
  return sums;
}

// Squares of what values have more or less than the common ratio gives, a size: what is left of them is the same for parts of any size.
double squaredResiduals(std::span<const Measurement> measured, double ratio) {
  double sum = 0;
  for (const Measurement& each : measured) {
    const double residual = each.value.value - ratio * each.size;
    sum += residual * residual / each.size;
  }
  return sum;
}

// Of the squared residuals; of one part nothing is known.
double spreadOf(std::span<const Measurement> measured, double ratio) {
  return measured.size() == 1 ? kEndless : squaredResiduals(measured, ratio) / static_cast<double>(measured.size() - 1);
}
double degreesOf(std::span<const Measurement> measured) {
  return measured.size() == 1 ? kEndless : static_cast<double>(measured.size() - 1);
}

}  // namespace

double Estimate::error() const {
  if (variance == 0) return 0;
  return std::isinf(variance) ? kEndless : studentQuantile(degrees) * std::sqrt(variance);
}

double Estimate::relativeError() const {
  const double half = error();
  return half == 0 ? 0 : half / value;
}

Interval Estimate::interval() const {
  const double half = error();
  return {std::max(0.0, value - half), value + half};
}

Estimate operator+(const Estimate& one, const Estimate& other) {
  const double variance = one.variance + other.variance;
  const double perDegree = one.variance * one.variance / one.degrees + other.variance * other.variance / other.degrees;
  const bool hasDegrees = std::isfinite(variance) && perDegree > 0;
  return {one.value + other.value, variance, hasDegrees ? variance * variance / perDegree : kEndless, one.isPredicted || other.isPredicted};
}

Estimate predictRest(std::span<const Measurement> measured, double size) {
  if (size == 0) return {};
  if (measured.empty()) return {0, kEndless, kEndless, true};
  const Sums sums = sumsOf(measured);
  const double ratio = sums.value.value / sums.size, share = size / sums.size;
  const Estimate ofMeasurements{0, sums.value.variance * share * share, sums.value.degrees};
  return Estimate{ratio * size, spreadOf(measured, ratio) * size * (1 + share), degreesOf(measured), true} + ofMeasurements;
}

Estimate predictWhole(std::span<const Measurement> measured, double size) {
  const Sums sums = sumsOf(measured);
  if (size == 0 || measured.empty()) return sums.value + predictRest(measured, size);
  const double ratio = sums.value.value / sums.size, share = size / sums.size;
  // The errors of the measurements are in their sum and in the rest alike: they add up, not their squares.
  const Estimate ofMeasurements{sums.value.value, sums.value.variance * (1 + share) * (1 + share), sums.value.degrees};
  return Estimate{ratio * size, spreadOf(measured, ratio) * size * (1 + share), degreesOf(measured), true} + ofMeasurements;
}

}  // namespace warpwright::stats
