// __dp4a and __dp2a: dot products of bytes and halfwords, signed and unsigned.
#include "check.hpp"

constexpr int kCount = 1024;

__global__ void dots(const unsigned* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = values[i], b = values[(i + 3) % kCount];
  out[6 * i] = __dp4a(static_cast<int>(a), static_cast<int>(b), i);
  out[6 * i + 1] = static_cast<int>(__dp4a(a, b, static_cast<unsigned>(i)));
  out[6 * i + 2] = __dp2a_lo(static_cast<int>(a), static_cast<int>(b), -i);
  out[6 * i + 3] = __dp2a_hi(static_cast<int>(a), static_cast<int>(b), -i);
  out[6 * i + 4] = static_cast<int>(__dp2a_lo(a, b, 5u));
  int mixed;
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(mixed) : "r"(a), "r"(b), "r"(i));
  out[6 * i + 5] = mixed;
}

int main() {
  const auto values = table(kCount, [](size_t i) { return static_cast<unsigned>((i + 1) * 2654435761u); });
  Buffer<unsigned> in(values);
  Buffer<int> out(6 * kCount);
  dots<<<kCount / 128, 128>>>(in, out);
  std::vector<int> wanted(6 * kCount);
  for (int i = 0; i < kCount; ++i) {
    const unsigned a = values[i], b = values[(i + 3) % kCount];
    long long sums[6] = {i, i, -i, -i, 5, i};
    for (int k = 0; k < 4; ++k) {
      const int ua = a >> 8 * k & 255, ub = b >> 8 * k & 255, sa = static_cast<signed char>(ua), sb = static_cast<signed char>(ub);
      sums[0] += sa * sb;
      sums[1] += ua * ub;
      sums[5] += sa * ub;
    }
    for (int k = 0; k < 2; ++k) {
      const int ua = a >> 16 * k & 0xffff, sa = static_cast<short>(ua);
      const int low = b >> 8 * k & 255, high = b >> (16 + 8 * k) & 255;
      sums[2] += static_cast<long long>(sa) * static_cast<signed char>(low);
      sums[3] += static_cast<long long>(sa) * static_cast<signed char>(high);
      sums[4] += static_cast<long long>(ua) * low;
    }
    for (int k = 0; k < 6; ++k) wanted[6 * i + k] = static_cast<int>(sums[k]);
  }
  check::same(out.read(), wanted, "dot products");
  return check::finish();
}
