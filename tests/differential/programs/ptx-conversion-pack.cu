// cvt.pack: two whole numbers, saturated, into one register; four bytes in two steps.
#include "check.hpp"

constexpr int kCount = 256;

__global__ void pack(const int* values, unsigned* out) {
  const int i = threadIdx.x, a = values[i], b = values[(i + 1) % kCount], c = values[(i + 2) % kCount], d = values[(i + 3) % kCount];
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(out[3 * i]) : "r"(a), "r"(b));
  asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(out[3 * i + 1]) : "r"(a), "r"(b));
  unsigned low, all;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(low) : "r"(a), "r"(b));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(c), "r"(d), "r"(low));
  out[3 * i + 2] = all;
}

int main() {
  const auto values = table(kCount, [](size_t i) { return (static_cast<int>(i * 7919 % 2003) - 1000) * (i % 3 == 0 ? 80 : 1); });
  Buffer<int> in(values);
  Buffer<unsigned> out(3 * kCount);
  pack<<<1, kCount>>>(in, out);
  const auto clamp = [](int value, int low, int high) { return static_cast<unsigned>(value < low ? low : value > high ? high : value); };
  check::same(out.read(), table(3 * kCount, [&](size_t index) {
    int v[4];
    for (size_t k = 0; k < 4; ++k) v[k] = values[(index / 3 + k) % kCount];
    const auto byte = [&](int k) { return clamp(v[k], 0, 255); };
    if (index % 3 == 0) return (clamp(v[0], -32768, 32767) & 0xffff) << 16 | (clamp(v[1], -32768, 32767) & 0xffff);
    if (index % 3 == 1) return clamp(v[0], 0, 65535) << 16 | clamp(v[1], 0, 65535);
    // The third operand's low half moves up, and the new pair comes below.
    return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
  }), "packed");
  return check::finish();
}
