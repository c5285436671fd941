// Minima and maxima that pass on NaN, keep a sign, or do neither; fma with relu.
// arch: 86
#include <cmath>

#include "check.hpp"

constexpr int kResults = 5;

__global__ void compute(const float* a, const float* b, float* out) {
  const int i = threadIdx.x;
  float* r = out + kResults * i;
  asm("min.f32 %0, %1, %2;" : "=f"(r[0]) : "f"(a[i]), "f"(b[i]));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r[1]) : "f"(a[i]), "f"(b[i]));
  asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(r[2]) : "f"(a[i]), "f"(b[i]));
  asm("max.f32 %0, %1, %2;" : "=f"(r[3]) : "f"(a[i]), "f"(b[i]));
  asm("copysign.f32 %0, %1, %2;" : "=f"(r[4]) : "f"(a[i]), "f"(b[i]));
}

int main() {
  const float special[] = {0.0f, -0.0f, 1.5f, -1.5f, INFINITY, -INFINITY, NAN, 1e-40f};
  const auto a = table(64, [&](size_t i) { return special[i / 8]; }), b = table(64, [&](size_t i) { return special[i % 8]; });
  Buffer<float> da(a), db(b), out(64 * kResults);
  compute<<<1, 64>>>(da, db, out);
  const float canonical = NAN;
  std::vector<float> wanted;
  auto got = out.read();
  for (int i = 0; i < 64; ++i) {
    const float x = a[i], y = b[i];
    const bool anyNan = std::isnan(x) || std::isnan(y);
    // -0 is below +0.
    const auto below = [](float l, float r) { return l < r || (l == r && std::signbit(l) && !std::signbit(r)); };
    const float one = std::isnan(x) ? y : x;
    const float low = anyNan ? one : below(x, y) ? x : y, high = anyNan ? one : below(x, y) ? y : x;
    const float size = std::isnan(x) ? std::fabs(y) : std::isnan(y) ? std::fabs(x) : std::fmin(std::fabs(x), std::fabs(y));
    const float signedSize = std::signbit(x) != std::signbit(y) ? -size : size;
    wanted.insert(wanted.end(), {low, anyNan ? canonical : high, signedSize, high, std::copysign(y, x)});
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    // Which NaN a NaN becomes is checked elsewhere.
    if (std::isnan(wanted[i]) && std::isnan(got[i])) got[i] = wanted[i] = 0;
  }
  check::same(got, wanted, "results");
  return check::finish();
}
