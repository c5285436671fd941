// Video instructions by inline PTX: scalar vadd, vabsdiff, vmad, vset, and those on four bytes and two halfwords.
#include "check.hpp"

constexpr int kCount = 512, kResults = 8;

__global__ void compute(const unsigned* values, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = values[i], b = values[(i + 1) % kCount], c = values[(i + 2) % kCount];
  unsigned* r = out + kResults * i;
  asm("vadd.s32.s32.s32.sat %0, %1, %2;" : "=r"(r[0]) : "r"(a), "r"(b));
  asm("vadd.u32.u32.u32.add %0, %1.b1, %2.h1, %3;" : "=r"(r[1]) : "r"(a), "r"(b), "r"(c));
  asm("vabsdiff.u32.s32.s32.max %0, %1.b3, %2.b0, %3;" : "=r"(r[2]) : "r"(a), "r"(b), "r"(c & 127));
  asm("vmad.s32.s32.u32 %0, %1.h0, %2.b2, %3;" : "=r"(r[3]) : "r"(a), "r"(b), "r"(c));
  asm("vset.u32.u32.lt %0, %1.b2, %2.b1;" : "=r"(r[4]) : "r"(a), "r"(b));
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r[5]) : "r"(a), "r"(b), "r"(c));
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r[6]) : "r"(a), "r"(b), "r"(c));
  asm("vmax2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r[7]) : "r"(a), "r"(b), "r"(c));
}

int main() {
  const auto values = table(kCount, [](size_t i) { return static_cast<unsigned>((i + 1) * 2654435761u); });
  Buffer<unsigned> in(values), out(kCount * kResults);
  compute<<<kCount / 64, 64>>>(in, out);
  std::vector<unsigned> wanted;
  for (int i = 0; i < kCount; ++i) {
    const unsigned a = values[i], b = values[(i + 1) % kCount], c = values[(i + 2) % kCount];
    const auto byte = [](unsigned word, int k) { return word >> 8 * k & 255; };
    const auto half = [](unsigned word, int k) { return static_cast<short>(word >> 16 * k); };
    const long long sum = static_cast<long long>(static_cast<int>(a)) + static_cast<int>(b);
    const long long clamped = sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000ll ? -0x80000000ll : sum;
    const int difference = static_cast<signed char>(byte(a, 3)) - static_cast<signed char>(byte(b, 0));
    const unsigned distance = static_cast<unsigned>(difference < 0 ? -difference : difference);
    unsigned bytes = 0, distances = c, halves = 0;
    for (int k = 0; k < 4; ++k) {
      const unsigned total = byte(a, k) + byte(b, k);
      bytes |= (total > 255 ? 255 : total) << 8 * k;
      distances += byte(a, k) > byte(b, k) ? byte(a, k) - byte(b, k) : byte(b, k) - byte(a, k);
    }
    for (int k = 0; k < 2; ++k) {
      const short larger = half(a, k) > half(b, k) ? half(a, k) : half(b, k);
      halves |= static_cast<unsigned>(static_cast<unsigned short>(larger)) << 16 * k;
    }
    wanted.insert(wanted.end(), {
        static_cast<unsigned>(clamped),
        byte(a, 1) + (b >> 16) + c,
        distance > (c & 127) ? distance : c & 127,
        static_cast<unsigned>(half(a, 0) * static_cast<int>(byte(b, 2))) + c,
        byte(a, 2) < byte(b, 1) ? 1u : 0u,
        bytes,
        distances,
        halves});
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
