// Conversions between integers and floating-point numbers with named rounding and at the ends of the range.
#include <cmath>

#include "check.hpp"

constexpr int kCount = 512, kResults = 10;

__global__ void compute(const float* values, const double* numbers, long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float f = values[i];
  const double d = numbers[i];
  const long long big = static_cast<long long>(d) * 1000003;
  const long long results[kResults] = {__float2int_rn(f),
                                       __float2int_rz(f),
                                       __float2int_rd(f),
                                       __float2int_ru(f),
                                       __float2uint_rn(f),
                                       __double2ll_rn(d * 1e6),
                                       __double2int_rz(d),
                                       __float_as_int(__ll2float_rn(big)),
                                       __double_as_longlong(__ll2double_rn(big)),
                                       __float_as_int(__double2float_rn(d))};
  for (int k = 0; k < kResults; ++k) out[kResults * i + k] = results[k];
}

template <typename To, typename From>
To bitCast(From from) {
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
long long clamp(double value, double low, double high) {
  return static_cast<long long>(value < low ? low : value > high ? high : value);
}

int main() {
  const auto values = table(kCount, [](size_t i) {
    return std::ldexp(static_cast<float>(static_cast<int>(i * 7919 % 1999) - 999) / 16.0f, static_cast<int>(i % 40) - 8);
  });
  const auto numbers = table(kCount, [&](size_t i) { return static_cast<double>(values[i]) * 0.7; });
  Buffer<float> in(values);
  Buffer<double> wide(numbers);
  Buffer<long long> out(kCount * kResults);
  compute<<<kCount / 64, 64>>>(in, wide, out);
  std::vector<long long> wanted;
  constexpr double kLow = -2147483648.0, kHigh = 2147483647.0;
  for (int i = 0; i < kCount; ++i) {
    const double f = values[i], d = numbers[i];
    const long long big = static_cast<long long>(d) * 1000003;
    wanted.insert(wanted.end(), {
        clamp(std::nearbyint(f), kLow, kHigh),
        clamp(std::trunc(f), kLow, kHigh),
        clamp(std::floor(f), kLow, kHigh),
        clamp(std::ceil(f), kLow, kHigh),
        clamp(std::nearbyint(f), 0, 4294967295.0),
        static_cast<long long>(std::nearbyint(d * 1e6)),
        clamp(std::trunc(d), kLow, kHigh),
        bitCast<int>(static_cast<float>(big)),
        bitCast<long long>(static_cast<double>(big)),
        bitCast<int>(static_cast<float>(d))});
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
