#include "unit/cc/accuracy.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace warpwright::cc::test {
namespace {

double draw(const Range& range, std::mt19937_64& random) {
  const double u = std::uniform_real_distribution<double>(0.0, 1.0)(random);
  double x = range.logarithmic ? std::exp2(std::log2(range.lowest) + u * (std::log2(range.highest) - std::log2(range.lowest)))
                               : range.lowest + u * (range.highest - range.lowest);
  if (range.mirrored && (random() & 1)) x = -x;
  return x;
}

// Error in units in the last place of T at `exact`; results beyond T's range must be infinite.
template <typename T>
double ulps(T computed, long double exact, double absolute) {
  const T rounded = static_cast<T>(exact);
  if (std::isnan(exact) || std::isnan(computed)) return std::isnan(exact) == std::isnan(computed) ? 0.0 : 1e30;
  if (std::isinf(rounded) || std::isinf(computed)) {
    const bool nextToOverflow = std::isinf(rounded) != std::isinf(computed) && std::fabs(exact) > 0.9999L * std::numeric_limits<T>::max() &&
                                (std::isinf(computed) || std::fabs(computed) > T(0.9999) * std::numeric_limits<T>::max());
    return rounded == computed || nextToOverflow ? 0.0 : 1e30;
  }
  const long double size = std::max(std::fabs(exact), static_cast<long double>(absolute));
  const int exponent = size == 0 ? std::numeric_limits<T>::min_exponent : std::ilogb(size) + 1;
  const int place = std::max(exponent, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits;
  return static_cast<double>(std::fabs(static_cast<long double>(computed) - exact) / std::ldexp(1.0L, place));
}

template <typename T, typename Function>
void measureRange(const Row& row, const Function& function, const Range& first, const Range& second, int samples, double& worst,
                  double* at) {
  std::mt19937_64 random(20240229);
  for (int i = 0; i < samples; ++i) {
    const T x = static_cast<T>(draw(first, random)), y = static_cast<T>(draw(second, random));
    const double error = ulps(function(x, y), row.reference(x, y), row.absolute);
    if (error <= worst) continue;
    worst = error;
    at[0] = static_cast<double>(x);
    at[1] = static_cast<double>(y);
  }
}

}  // namespace

Measured measure(const Row& row, int samples) {
  Measured result;
  const std::vector<Range> none = {{0.0, 0.0}};
  for (const Range& first : row.first) {
    for (const Range& second : row.second.empty() ? none : row.second) {
      measureRange<double>(row, row.ofDouble, first, second, samples, result.ulpsDouble, result.worstDouble);
      measureRange<float>(row, row.ofFloat, first, second, samples, result.ulpsFloat, result.worstFloat);
    }
  }
  return result;
}

}  // namespace warpwright::cc::test
