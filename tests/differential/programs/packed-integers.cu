// The SIMD intrinsics on packed halfwords and bytes: for bytes, every pair of values in every lane; for halfwords, random pairs and edges.
#include "check.hpp"

constexpr unsigned kCount = 65536;

struct Operands {
  std::vector<unsigned> a, b;
};

// A multiplication by an odd number permutes the 65536 pairs, differently in each lane.
Operands bytePairs() {
  Operands words{std::vector<unsigned>(kCount), std::vector<unsigned>(kCount)};
  for (unsigned i = 0; i < kCount; ++i)
    for (unsigned lane = 0; lane < 4; ++lane) {
      const unsigned pair = (i * (2 * lane * 7919 + 1) + lane * 12345) & 0xffff;
      words.a[i] |= (pair & 255) << 8 * lane;
      words.b[i] |= (pair >> 8) << 8 * lane;
    }
  return words;
}

Operands halfwordPairs() {
  const unsigned edges[] = {0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xffff};
  unsigned long long state = 88172645463325252ull;
  const auto next = [&] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const unsigned random = static_cast<unsigned>(state >> 20);
    return random % 4 == 0 ? edges[random / 4 % 8] : random >> 8 & 0xffff;
  };
  Operands words{std::vector<unsigned>(kCount), std::vector<unsigned>(kCount)};
  for (unsigned i = 0; i < kCount; ++i) {
    words.a[i] = next() << 16 | next();
    words.b[i] = i % 8 == 0 ? words.a[i] : next() << 16 | next();
  }
  return words;
}

long long clampSigned(long long value, int bits) {
  const long long top = (1ll << (bits - 1)) - 1;
  return value > top ? top : value < -top - 1 ? -top - 1 : value;
}
long long clampUnsigned(long long value, int bits) {
  const long long top = (1ll << bits) - 1;
  return value > top ? top : value < 0 ? 0 : value;
}
long long magnitude(long long value) { return value < 0 ? -value : value; }
long long wrapSigned(long long value, int bits) {
  const long long wrapped = value & ((1ll << bits) - 1);
  return wrapped >> (bits - 1) ? wrapped - (1ll << bits) : wrapped;
}

enum class Joined { lanes, sum };
using Kernel = void (*)(const unsigned*, const unsigned*, unsigned*);

template <typename Expected>
void run(const char* name, Kernel kernel, int bits, bool isSigned, Joined joined, Expected expected) {
  static const Operands kBytes = bytePairs(), kHalfwords = halfwordPairs();
  const Operands& words = bits == 8 ? kBytes : kHalfwords;
  Buffer<unsigned> a(words.a), b(words.b), out(kCount);
  kernel<<<kCount / 256, 256>>>(a, b, out);
  const unsigned mask = (1u << bits) - 1;
  std::vector<unsigned> wanted(kCount);
  for (unsigned i = 0; i < kCount; ++i)
    for (int at = 0; at < 32; at += bits) {
      const long long x = words.a[i] >> at & mask, y = words.b[i] >> at & mask;
      const long long value = isSigned ? expected(wrapSigned(x, bits), wrapSigned(y, bits), bits) : expected(x, y, bits);
      const unsigned lane = static_cast<unsigned>(value) & mask;
      wanted[i] += joined == Joined::sum ? lane : lane << at;
    }
  check::same(out.read(), wanted, name);
}

#define KERNEL(name, call)                                                         \
  __global__ void name(const unsigned* a, const unsigned* b, unsigned* out) {      \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = a[i], y = b[i];  \
    (void)y;                                                                       \
    out[i] = call;                                                                 \
  }
// Of both widths. `value` computes a lane from x and y, of `bits` bits.
#define TEST(name, kernel2, kernel4, isSigned, joined, value)                                                             \
  void name() {                                                                                                           \
    const auto expected = [](long long x, long long y, int bits) -> long long { return (void)y, (void)bits, (value); };   \
    run(#kernel2, kernel2, 16, isSigned, joined, expected);                                                               \
    run(#kernel4, kernel4, 8, isSigned, joined, expected);                                                                \
  }
#define UNARY(name, value)            \
  KERNEL(name##2, __v##name##2(x))    \
  KERNEL(name##4, __v##name##4(x))    \
  TEST(name, name##2, name##4, true, Joined::lanes, value)
#define BINARY(name, isSigned, joined, value) \
  KERNEL(name##2, __v##name##2(x, y))         \
  KERNEL(name##4, __v##name##4(x, y))         \
  TEST(name, name##2, name##4, isSigned, joined, value)
#define COMPARE(relation, isSigned, holds)                     \
  BINARY(cmp##relation, isSigned, Joined::lanes, (holds) ? -1 : 0) \
  BINARY(set##relation, isSigned, Joined::lanes, (holds) ? 1 : 0)

namespace packed {

UNARY(abs, magnitude(x))
UNARY(absss, clampSigned(magnitude(x), bits))
UNARY(neg, -x)
UNARY(negss, clampSigned(-x, bits))
BINARY(add, true, Joined::lanes, x + y)
BINARY(addss, true, Joined::lanes, clampSigned(x + y, bits))
BINARY(addus, false, Joined::lanes, clampUnsigned(x + y, bits))
BINARY(sub, true, Joined::lanes, x - y)
BINARY(subss, true, Joined::lanes, clampSigned(x - y, bits))
BINARY(subus, false, Joined::lanes, clampUnsigned(x - y, bits))
BINARY(absdiffs, true, Joined::lanes, magnitude(x - y))
BINARY(absdiffu, false, Joined::lanes, magnitude(x - y))
BINARY(sads, true, Joined::sum, magnitude(x - y))
BINARY(sadu, false, Joined::sum, magnitude(x - y))
BINARY(avgs, true, Joined::lanes, (x + y) / 2 + ((x + y) % 2))  // away from zero
BINARY(avgu, false, Joined::lanes, (x + y + 1) / 2)
BINARY(haddu, false, Joined::lanes, (x + y) / 2)
BINARY(maxs, true, Joined::lanes, x > y ? x : y)
BINARY(maxu, false, Joined::lanes, x > y ? x : y)
BINARY(mins, true, Joined::lanes, x < y ? x : y)
BINARY(minu, false, Joined::lanes, x < y ? x : y)
COMPARE(eq, true, x == y)
COMPARE(ne, true, x != y)
COMPARE(ges, true, x >= y)
COMPARE(geu, false, x >= y)
COMPARE(gts, true, x > y)
COMPARE(gtu, false, x > y)
COMPARE(les, true, x <= y)
COMPARE(leu, false, x <= y)
COMPARE(lts, true, x < y)
COMPARE(ltu, false, x < y)

}  // namespace packed

int main() {
  using namespace packed;
  for (const auto test : {packed::abs, absss, neg, negss, add, addss, addus, sub, subss, subus, absdiffs, absdiffu, sads, sadu, avgs, avgu, haddu,
                          maxs, maxu, mins, minu})
    test();
  for (const auto test : {cmpeq, cmpne, cmpges, cmpgeu, cmpgts, cmpgtu, cmples, cmpleu, cmplts, cmpltu}) test();
  for (const auto test : {seteq, setne, setges, setgeu, setgts, setgtu, setles, setleu, setlts, setltu}) test();
  return check::finish();
}
