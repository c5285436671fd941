// The two formats of 8 bits: every value to half and back, and floats to them, saturating.
#include <cuda_fp8.h>

#include "check.hpp"
#include "narrow.hpp"

__global__ void toHalves(unsigned short* out) {
  const auto pattern = static_cast<__nv_fp8_storage_t>(threadIdx.x);
  out[threadIdx.x] = __nv_cvt_fp8_to_halfraw(pattern, __NV_E4M3).x;
  out[256 + threadIdx.x] = __nv_cvt_fp8_to_halfraw(pattern, __NV_E5M2).x;
}

__global__ void fromFloats(const float* values, unsigned char* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[2 * i] = __nv_cvt_float_to_fp8(values[i], __NV_SATFINITE, __NV_E4M3);
  out[2 * i + 1] = __nv_cvt_float_to_fp8(values[i], __NV_SATFINITE, __NV_E5M2);
}

// Four exponent bits without infinities: the largest is 448, and only all ones is no number.
double fromE4m3(unsigned bits) {
  const int exponent = bits >> 3 & 15;
  const double fraction = bits & 7, sign = bits & 0x80 ? -1 : 1;
  if ((bits & 0x7f) == 0x7f) return NAN;
  return sign * (exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(fraction + 8, exponent - 10));
}
unsigned char toE4m3(double value) {
  const double limited = std::fmin(std::fabs(value), 448.0);
  // The search over all values avoids a second copy of the rounding: the nearest, ties to the even pattern.
  unsigned best = 0;
  for (unsigned bits = 1; bits < 0x7f; ++bits) {
    const double distance = std::fabs(fromE4m3(bits) - limited), least = std::fabs(fromE4m3(best) - limited);
    if (distance < least || (distance == least && bits % 2 == 0)) best = bits;
  }
  return static_cast<unsigned char>(best | (std::signbit(value) ? 0x80 : 0));
}
unsigned char toE5m2(double value) {
  const double limited = std::copysign(std::fmin(std::fabs(value), 57344.0), value);
  return static_cast<unsigned char>(narrow(limited, 5, 2));
}

int main() {
  Buffer<unsigned short> halves(512);
  toHalves<<<1, 256>>>(halves);
  auto got = halves.read();
  std::vector<unsigned short> wanted(512);
  for (unsigned i = 0; i < 512; ++i) {
    const double value = i < 256 ? fromE4m3(i) : widen(i - 256, 5, 2);
    wanted[i] = toHalf(value);
    // Which NaN a NaN becomes is open.
    if (std::isnan(value) && (got[i] & 0x7fff) > 0x7c00) got[i] = wanted[i];
  }
  check::same(got, wanted, "to half");
  constexpr int kCount = 3000;
  const auto values = table(kCount, [](size_t i) {
    return std::ldexp(static_cast<float>(static_cast<int>(i * 7919 % 4001) - 2000) / 64.0f, static_cast<int>(i % 30) - 16);
  });
  Buffer<float> in(values);
  Buffer<unsigned char> out(2 * kCount);
  fromFloats<<<(kCount + 127) / 128, 128>>>(in, out, kCount);
  check::same(out.read(), table(2 * kCount, [&](size_t i) { return i % 2 == 0 ? toE4m3(values[i / 2]) : toE5m2(values[i / 2]); }), "from float");
  return check::finish();
}
