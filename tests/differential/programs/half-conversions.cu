// Conversions between __half and float, double and integers, in the four rounding modes.
#include <cuda_fp16.h>

#include "check.hpp"
#include "narrow.hpp"

constexpr int kCount = 2048;

__device__ unsigned short bits(__half value) { return __half_as_ushort(value); }

__global__ void narrowing(const float* values, unsigned short* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = values[i];
  unsigned short* row = out + 6 * i;
  row[0] = bits(__float2half_rn(value));
  row[1] = bits(__float2half_rz(value));
  row[2] = bits(__float2half_rd(value));
  row[3] = bits(__float2half_ru(value));
  row[4] = bits(__double2half(value));
  row[5] = bits(__int2half_rn(i * 37 - 30000));
}

__global__ void widening(float* floats, int* integers) {
  const unsigned pattern = blockIdx.x * blockDim.x + threadIdx.x;
  const __half value = __ushort_as_half(static_cast<unsigned short>(pattern));
  floats[pattern] = __half2float(value);
  integers[pattern] = (pattern & 0x7fff) < 0x7c00 ? __half2int_rz(value) * 4 + __half2int_rn(value) : 0;
}

// The neighbour below or above of what rounding to nearest gives, where that lies on the wrong side.
unsigned short directed(double value, int direction) {
  const unsigned short nearest = toHalf(value);
  const double got = fromHalf(nearest);
  if (got == value) return nearest;
  if (direction < 0 ? got < value : got > value) return nearest;
  const bool away = (direction > 0) != std::signbit(value);
  return static_cast<unsigned short>(away ? nearest + 1 : nearest - 1);
}

int main() {
  const auto values = table(kCount, [](size_t i) {
    return std::ldexp(static_cast<float>(i * 7919 % 9973) - 5000.5f, static_cast<int>(i % 40) - 36);
  });
  Buffer<float> in(values);
  Buffer<unsigned short> out(6 * kCount);
  narrowing<<<kCount / 128, 128>>>(in, out);
  std::vector<unsigned short> wanted(6 * kCount);
  for (int i = 0; i < kCount; ++i) {
    const double value = values[i];
    unsigned short* row = &wanted[6 * i];
    row[0] = row[4] = toHalf(value);
    row[1] = directed(value, value < 0 ? 1 : -1);
    row[2] = directed(value, -1);
    row[3] = directed(value, 1);
    row[5] = toHalf(i * 37 - 30000);
  }
  check::same(out.read(), wanted, "to half");

  Buffer<float> floats(65536);
  Buffer<int> integers(65536);
  widening<<<256, 256>>>(floats, integers);
  auto got = floats.read();
  std::vector<float> wide(65536);
  for (unsigned pattern = 0; pattern < 65536; ++pattern) {
    wide[pattern] = static_cast<float>(fromHalf(static_cast<unsigned short>(pattern)));
    // Which NaN a NaN becomes is open.
    if (std::isnan(wide[pattern]) && std::isnan(got[pattern])) got[pattern] = wide[pattern] = 0;
  }
  check::same(got, wide, "every half to float");
  check::same(integers.read(), table(65536, [](size_t pattern) {
    const double value = fromHalf(static_cast<unsigned short>(pattern));
    return (pattern & 0x7fff) < 0x7c00 ? static_cast<int>(value) * 4 + static_cast<int>(std::nearbyint(value)) : 0;
  }), "to int");
  return check::finish();
}
