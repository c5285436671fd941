// The C++ names, with float, double and integer arguments.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>
template <typename T>
__device__ T all(T x) {
  int e;
  T whole;
  T sum = std::sin(x) + std::cos(x) + std::tan(x) + std::asin(x) + std::acos(x) + std::atan(x) + std::atan2(x, x);
  sum += std::sinh(x) + std::cosh(x) + std::tanh(x) + std::asinh(x) + std::acosh(x) + std::atanh(x);
  sum += std::exp(x) + std::exp2(x) + std::expm1(x) + std::log(x) + std::log2(x) + std::log10(x) + std::log1p(x) + std::logb(x);
  sum += std::pow(x, x) + std::pow(x, 2) + std::sqrt(x) + std::cbrt(x) + std::hypot(x, x) + std::erf(x) + std::erfc(x) + std::tgamma(x) + std::lgamma(x);
  sum += std::floor(x) + std::ceil(x) + std::trunc(x) + std::round(x) + std::rint(x) + std::nearbyint(x) + std::fabs(x) + std::abs(x);
  sum += std::fmin(x, x) + std::fmax(x, x) + std::fdim(x, x) + std::fmod(x, x) + std::remainder(x, x) + std::remquo(x, x, &e) + std::copysign(x, x);
  sum += std::fma(x, x, x) + std::frexp(x, &e) + std::ldexp(x, 3) + std::scalbn(x, 3) + std::modf(x, &whole) + std::nextafter(x, x) + std::ilogb(x);
  sum += std::lrint(x) + std::llrint(x) + std::lround(x) + std::llround(x);
  if (std::isnan(x) || std::isinf(x) || !std::isfinite(x) || std::signbit(x)) sum = std::numeric_limits<T>::infinity();
  return sum + std::max(x, sum) + std::min(x, sum) + whole;
}
__global__ void kernel(float* f, double* d, int* i) {
  *f = all(*f), *d = all(*d);
  *d += std::sqrt(*i) + pow(*i, 2) + std::abs(*i) + sin(3) + exp(*f) + log(*d) + fabs(*f) + floor(*f) + sqrt(*f) + pow(*f, 2.0f) + max(*f, 1.0f) + min(*d, 1.0f);
  *f += isnan(*f) + isinf(*d) + isfinite(*f) + signbit(*d) + fmaxf(*f, 3) + abs(*f);
  std::pair<int, float> pair{1, 2.0f};
  std::pair<int, float> other = pair;
  *f += other.second;
  *i = std::move(pair.first) + std::clamp(*i, 0, 10);
}
int main() {
  std::vector<float> values = {3, 1, 2};
  std::sort(values.begin(), values.end());
  std::complex<double> z(1, 2);
  std::cout << std::string("sum ") << values[0] + std::abs(z) + std::sin(0.5f) << "\n";
  return 0;
}
