// Inline PTX: lop3 with several truth tables, bfe, bfi, bfind, prmt in its modes, shf, fns and szext.
#include "check.hpp"

constexpr int kCount = 256, kResults = 12;

__global__ void compute(const unsigned* values, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = values[i], b = values[(i + 1) % kCount], c = values[(i + 2) % kCount];
  unsigned* r = out + kResults * i;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r[0]) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r[1]) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r[2]) : "r"(a), "r"(b), "r"(c));
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r[3]) : "r"(a), "r"(b & 31), "r"(c & 31));
  asm("bfe.s32 %0, %1, 5, 9;" : "=r"(r[4]) : "r"(a));
  asm("bfi.b32 %0, %1, %2, 11, 7;" : "=r"(r[5]) : "r"(a), "r"(b));
  asm("bfind.u32 %0, %1;" : "=r"(r[6]) : "r"(a));
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r[7]) : "r"(a));
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r[8]) : "r"(a), "r"(b), "r"(c & 3));
  asm("prmt.b32 %0, %1, %2, 0xb3d0;" : "=r"(r[9]) : "r"(a), "r"(b));
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r[10]) : "r"(a), "r"(b), "r"(c & 63));
  asm("{.reg .pred p; setp.lt.u32 p, %1, %2; selp.b32 %0, %1, %2, p;}" : "=r"(r[11]) : "r"(a), "r"(b));
}

int main() {
  const auto values = table(kCount, [](size_t i) { return static_cast<unsigned>(i * 2654435761u) >> (i % 4 * 7); });
  Buffer<unsigned> in(values), out(kCount * kResults);
  compute<<<kCount / 64, 64>>>(in, out);
  std::vector<unsigned> wanted;
  for (int i = 0; i < kCount; ++i) {
    const unsigned a = values[i], b = values[(i + 1) % kCount], c = values[(i + 2) % kCount];
    const unsigned position = b & 31, length = c & 31;
    const unsigned long long pair = static_cast<unsigned long long>(b) << 32 | a;
    int top = 31, signedTop = 31;
    while (top >= 0 && !(a >> top & 1)) --top;
    const unsigned folded = a >> 31 ? ~a : a;
    while (signedTop >= 0 && !(folded >> signedTop & 1)) --signedTop;
    const auto byte = [&](int k) { return static_cast<unsigned>(pair >> 8 * k & 255); };
    const auto sign = [&](int k) { return byte(k) & 0x80 ? 255u : 0u; };
    const unsigned shift = (c & 63) > 32 ? 32 : c & 63;
    wanted.insert(wanted.end(), {
        a ^ b ^ c,
        (a & b) | (~a & c),
        (a & b) | (a & c) | (b & c),
        static_cast<unsigned>(static_cast<unsigned long long>(a) >> position & ((1ull << length) - 1)),
        static_cast<unsigned>(static_cast<int>(a << 18) >> 23),
        (b & ~(0x7fu << 11)) | (a & 0x7f) << 11,
        static_cast<unsigned>(top),
        signedTop < 0 ? ~0u : 31u - static_cast<unsigned>(signedTop),
        static_cast<unsigned>(pair >> 8 * (c & 3)),
        sign(3) << 24 | byte(3) << 16 | sign(5) << 8 | byte(0),
        static_cast<unsigned>(shift == 32 ? a : pair << shift >> 32),
        a < b ? a : b});
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
