// __half2: both halves at once, comparisons, minima, swaps, and the packing functions.
#include <cuda_fp16.h>

#include "check.hpp"
#include "narrow.hpp"

constexpr int kCount = 1024, kResults = 8;

__global__ void compute(const __half2* values, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 a = values[i], b = values[(i + 7) % kCount];
  const __half2 results[kResults - 1] = {__hadd2(a, b),         __hmul2(a, b), __hfma2(a, b, b),         __hmax2(a, b),
                                         __lowhigh2highlow(a), __hgt2(a, b),  __halves2half2(__high2half(b), __low2half(a))};
  for (int k = 0; k < kResults - 1; ++k) out[kResults * i + k] = *reinterpret_cast<const unsigned*>(&results[k]);
  out[kResults * i + kResults - 1] = __hbge2(a, b) + 2 * __hlt(__low2half(a), __high2half(a)) + 4 * __heq(__low2half(a), __low2half(a));
}

int main() {
  const auto halves = table(2 * kCount, [](size_t i) { return toHalf(static_cast<int>(i * 7919 % 2048 - 1024) / 64.0); });
  Buffer<unsigned short> in(halves);
  Buffer<unsigned> out(kCount * kResults);
  compute<<<kCount / 64, 64>>>(reinterpret_cast<const __half2*>(in.get()), out);
  std::vector<unsigned> wanted(kCount * kResults);
  for (int i = 0; i < kCount; ++i) {
    const unsigned short* pa = &halves[2 * i];
    const unsigned short* pb = &halves[2 * ((i + 7) % kCount)];
    unsigned* row = &wanted[kResults * i];
    for (int part = 0; part < 2; ++part) {
      const double a = fromHalf(pa[part]), b = fromHalf(pb[part]);
      const int shift = 16 * part;
      row[0] |= static_cast<unsigned>(toHalf(a + b)) << shift;
      row[1] |= static_cast<unsigned>(toHalf(a * b)) << shift;
      row[2] |= static_cast<unsigned>(toHalf(a * b + b)) << shift;
      row[3] |= static_cast<unsigned>(toHalf(a > b ? a : b)) << shift;
      row[4] |= static_cast<unsigned>(pa[1 - part]) << shift;
      row[5] |= static_cast<unsigned>(toHalf(a > b)) << shift;
    }
    row[6] = pb[1] | static_cast<unsigned>(pa[0]) << 16;
    const bool greater = fromHalf(pa[0]) >= fromHalf(pb[0]) && fromHalf(pa[1]) >= fromHalf(pb[1]);
    row[7] = greater + 2 * (fromHalf(pa[0]) < fromHalf(pa[1])) + 4;
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
