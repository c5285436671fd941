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

template <typename Part>
Sums sumsOf(std::span<const Part> measured) {
  Sums sums;
  for (const Part& each : measured) {
    sums.size += each.size;
    sums.value = sums.value + each.value;
  }
  return sums;
}

double degreesOf(std::size_t measured) { return measured == 1 ? kEndless : static_cast<double>(measured - 1); }

// Squares of what values have more or less than the common ratio gives, a size: what is left of them is the same for parts of any size.
template <typename Part>
double squaredResiduals(std::span<const Part> measured, double ratio) {
  double sum = 0;
  for (const Part& each : measured) {
    const double residual = each.value.value - ratio * each.size;
    sum += residual * residual / each.size;
  }
  return sum;
}

// Of the squared residuals; of one part nothing is known.
template <typename Part>
double spreadOf(std::span<const Part> measured, double ratio) {
  return measured.size() == 1 ? kEndless : squaredResiduals(measured, ratio) / degreesOf(measured.size());
}

// Others as if those that they go like had been measured without an error.
Estimate goingLike(std::span<const Representative> representatives) {
  const Sums sums = sumsOf(representatives);
  const double spread = spreadOf(representatives, sums.value.value / sums.size);
  Estimate others;
  for (const Representative& each : representatives) {
    if (each.others == 0) continue;
    const double share = each.others / each.size;
    others.value += each.value.value * share;
    others.variance += spread * each.others * (1 + share);
    others.isPredicted = true;
  }
  if (others.isPredicted) others.degrees = degreesOf(representatives.size());
  return others;
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
  return Estimate{ratio * size, spreadOf(measured, ratio) * size * (1 + share), degreesOf(measured.size()), true} + ofMeasurements;
}

Estimate predictOthers(std::span<const Representative> representatives) {
  Estimate others = goingLike(representatives);
  for (const Representative& each : representatives) {
    if (each.others == 0) continue;
    const double share = each.others / each.size;
    others = others + Estimate{0, each.value.variance * share * share, each.value.degrees};
  }
  return others;
}

Estimate predictWhole(std::span<const Representative> representatives) {
  Estimate whole = goingLike(representatives);
  for (const Representative& each : representatives) {
    // The error of a measurement is in it and in those that go like it alike: they add up, not their squares.
    const double times = 1 + each.others / each.size;
    whole = whole + Estimate{each.value.value, each.value.variance * times * times, each.value.degrees};
  }
  return whole;
}

}  // namespace warpwright::stats
