// cvt with saturation and rounding to whole numbers, tf32, and packed halves.
// arch: 80
#include <cmath>

#include "check.hpp"
#include "narrow.hpp"

constexpr int kCount = 512, kResults = 8;

__global__ void compute(const float* values, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = values[i], y = values[(i + 1) % kCount];
  const int whole = static_cast<int>(x * 100);
  unsigned* r = out + kResults * i;
  float f;
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(f) : "f"(x));
  r[0] = __float_as_uint(f);
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(f) : "f"(x));
  r[1] = __float_as_uint(f);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f) : "f"(x));
  r[2] = __float_as_uint(f);
  asm("{.reg .s8 b; cvt.rzi.s8.f32 b, %1; cvt.s32.s8 %0, b;}" : "=r"(r[3]) : "f"(x));
  asm("{.reg .u8 b; cvt.sat.u8.s32 b, %1; cvt.u32.u8 %0, b;}" : "=r"(r[4]) : "r"(whole));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r[5]) : "f"(x));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r[6]) : "f"(x), "f"(y));
  asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(r[7]) : "f"(x), "f"(y));
}

unsigned bits(float value) {
  unsigned result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}
template <typename T>
T clamp(T value, T low, T high) { return value < low ? low : value > high ? high : value; }

int main() {
  const auto values = table(kCount, [](size_t i) { return std::ldexp(static_cast<int>(i * 7919 % 1999 | 1) - 1000.0f, static_cast<int>(i % 12) - 10) * 1.0001f; });
  Buffer<float> in(values);
  Buffer<unsigned> out(kCount * kResults);
  compute<<<kCount / 64, 64>>>(in, out);
  std::vector<unsigned> wanted;
  for (int i = 0; i < kCount; ++i) {
    const float x = values[i], y = values[(i + 1) % kCount];
    const int whole = static_cast<int>(x * 100);
    wanted.insert(wanted.end(), {
        bits(std::nearbyint(x)),
        bits(std::ceil(x)),
        bits(clamp(x, 0.0f, 1.0f)),
        static_cast<unsigned>(clamp(static_cast<int>(x), -128, 127)),
        static_cast<unsigned>(clamp(whole, 0, 255)),
        // Ties away from zero at the tenth bit of the mantissa.
        (bits(x) + 0x1000) & 0xffffe000u,
        static_cast<unsigned>(toHalf(x)) << 16 | toHalf(y),
        static_cast<unsigned>(x < 0 ? 0 : toBfloat(x)) << 16 | (y < 0 ? 0 : toBfloat(y))});
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
