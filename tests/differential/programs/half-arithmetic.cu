// __half: sums, products, quotients, roots and fused products, each rounded once, denormals included.
#include <cuda_fp16.h>

#include "check.hpp"
#include "narrow.hpp"

constexpr int kCount = 4096, kResults = 7;

__global__ void compute(const __half* values, __half* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half a = values[i], b = values[(i * 5 + 3) % kCount];
  __half* row = out + kResults * i;
  row[0] = a + b;
  row[1] = a - b;
  row[2] = a * b;
  row[3] = __hfma(a, b, a);
  row[4] = __hdiv(a, b);
  row[5] = hsqrt(__habs(a));
  row[6] = -a;
}

int main() {
  // Finite values of all exponents: every 15th pattern.
  const auto bits = table(kCount, [](size_t i) {
    const unsigned magnitude = i * 7919 % 0x7c00;
    return static_cast<unsigned short>(magnitude | (i % 2) << 15);
  });
  Buffer<unsigned short> in(bits), out(kCount * kResults);
  compute<<<kCount / 128, 128>>>(reinterpret_cast<const __half*>(in.get()), reinterpret_cast<__half*>(out.get()));
  std::vector<unsigned short> wanted(kCount * kResults);
  for (int i = 0; i < kCount; ++i) {
    const double a = fromHalf(bits[i]), b = fromHalf(bits[(i * 5 + 3) % kCount]);
    unsigned short* row = &wanted[kResults * i];
    row[0] = toHalf(a + b);
    row[1] = toHalf(a - b);
    row[2] = toHalf(a * b);
    row[3] = toHalf(std::fma(a, b, a));
    row[4] = toHalf(a / b);
    row[5] = toHalf(std::sqrt(std::fabs(a)));
    row[6] = bits[i] ^ 0x8000;
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
