// Bit counting, reversing, permuting and shifting functions, products' high halves and sums of absolute differences.
#include "check.hpp"

constexpr int kCount = 512, kResults = 16;

__global__ void compute(const unsigned* values, unsigned long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = values[i], b = values[(i + 1) % kCount];
  const unsigned long long wide = static_cast<unsigned long long>(a) << 32 | b;
  const int sa = static_cast<int>(a), sb = static_cast<int>(b);
  const unsigned long long results[kResults] = {
      static_cast<unsigned>(__popc(a)) + 100ull * static_cast<unsigned>(__popcll(wide)),
      static_cast<unsigned>(__clz(sa)) + 100ull * static_cast<unsigned>(__clzll(static_cast<long long>(wide))),
      static_cast<unsigned>(__ffs(sa)) + 100ull * static_cast<unsigned>(__ffsll(static_cast<long long>(wide))),
      __brev(a),
      __brevll(wide),
      __byte_perm(a, b, 0x7250),
      __funnelshift_l(a, b, 13),
      __funnelshift_r(a, b, a & 31),
      __funnelshift_lc(a, b, 40),
      __umulhi(a, b),
      static_cast<unsigned>(__mulhi(sa, sb)),
      __umul64hi(wide, wide),
      __usad(a, b, 7),
      __uhadd(a, b),
      static_cast<unsigned>(__rhadd(sa, sb)),
      static_cast<unsigned>(__mul24(sa & 0x7fffff, sb & 0x7fffff))};
  for (int k = 0; k < kResults; ++k) out[kResults * i + k] = results[k];
}

int bitCount(unsigned long long value) { int n = 0; for (; value != 0; value &= value - 1) ++n; return n; }
int leading(unsigned long long value, int bits) { int n = 0; while (n < bits && !(value >> (bits - 1 - n) & 1)) ++n; return n; }
int first(unsigned long long value) { int n = 0; while (n < 64 && !(value >> n & 1)) ++n; return value == 0 ? 0 : n + 1; }
unsigned long long reversed(unsigned long long value, int bits) {
  unsigned long long result = 0;
  for (int k = 0; k < bits; ++k) result |= (value >> k & 1) << (bits - 1 - k);
  return result;
}

int main() {
  const auto values = table(kCount, [](size_t i) { return static_cast<unsigned>(i * i * 2654435761u) >> (i % 5 * 6); });
  Buffer<unsigned> in(values);
  Buffer<unsigned long long> out(kCount * kResults);
  compute<<<kCount / 64, 64>>>(in, out);
  std::vector<unsigned long long> wanted;
  for (int i = 0; i < kCount; ++i) {
    const unsigned a = values[i], b = values[(i + 1) % kCount];
    const unsigned long long wide = static_cast<unsigned long long>(a) << 32 | b, pair = static_cast<unsigned long long>(b) << 32 | a;
    const long long sa = static_cast<int>(a), sb = static_cast<int>(b);
    const auto byte = [&](int k) { return pair >> 8 * k & 255; };
    wanted.insert(wanted.end(), {
        bitCount(a) + 100ull * bitCount(wide),
        leading(a, 32) + 100ull * leading(wide, 64),
        first(a) + 100ull * first(wide),
        reversed(a, 32),
        reversed(wide, 64),
        byte(7) << 24 | byte(2) << 16 | byte(5) << 8 | byte(0),
        pair << 13 >> 32,
        pair >> (a & 31) & 0xffffffff,
        a,
        static_cast<unsigned long long>(a) * b >> 32,
        static_cast<unsigned>(sa * sb >> 32),
        static_cast<unsigned long long>(static_cast<unsigned __int128>(wide) * wide >> 64),
        (a > b ? a - b : b - a) + 7u,
        (static_cast<unsigned long long>(a) + b) / 2,
        static_cast<unsigned>((sa + sb + 1) >> 1),
        static_cast<unsigned>((sa & 0x7fffff) * (sb & 0x7fffff))});
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
