// Loads and stores of vectors, with cache hints, and volatile ones; types of every width.
#include "check.hpp"

__global__ void move(const float4* in, float4* out, const short2* pairs, short2* swapped, const double2* wide, double2* doubled) {
  const int i = threadIdx.x;
  float4 value = __ldg(in + i);
  value.x += 1, value.w *= 2;
  __stcs(out + i, value);
  const short2 pair = __ldcg(pairs + i);
  __stwt(swapped + i, make_short2(pair.y, pair.x));
  const double2 two = __ldcs(wide + i);
  __stcg(doubled + i, make_double2(2 * two.x, 2 * two.y));
}

__global__ void hints(const unsigned char* bytes, const long long* longs, long long* out, volatile int* flags) {
  const int i = threadIdx.x;
  out[i] = __ldca(bytes + i) + __ldlu(longs + i) + __ldcv(longs + (i + 1) % 64) + __ldg(bytes + (i + 5) % 64);
  flags[i] = flags[i] + i;
}

int main() {
  const auto quads = table(64, [](size_t i) { return make_float4(1.0f * i, 2.0f * i, 3.0f * i, 4.0f * i); });
  const auto pairs = table(64, [](size_t i) { return make_short2(static_cast<short>(i), static_cast<short>(-3 * i)); });
  const auto twos = table(64, [](size_t i) { return make_double2(0.1 * i, 7.0 - i); });
  Buffer<float4> in(quads), out(64);
  Buffer<short2> halves(pairs), swapped(64);
  Buffer<double2> wide(twos), doubled(64);
  move<<<1, 64>>>(in, out, halves, swapped, wide, doubled);
  check::same(out.read(), table(64, [](size_t i) { return make_float4(i + 1.0f, 2.0f * i, 3.0f * i, 8.0f * i); }), "float4");
  check::same(swapped.read(), table(64, [](size_t i) { return make_short2(static_cast<short>(-3 * i), static_cast<short>(i)); }), "short2");
  check::same(doubled.read(), table(64, [](size_t i) { return make_double2(2 * (0.1 * i), 2 * (7.0 - i)); }), "double2");

  Buffer<unsigned char> bytes(table(64, [](size_t i) { return static_cast<unsigned char>(4 * i); }));
  Buffer<long long> longs(table(64, [](size_t i) { return static_cast<long long>(i) << 40; })), sums(64);
  Buffer<int> flags(std::vector<int>(64, 1000));
  hints<<<1, 64>>>(bytes, longs, sums, flags);
  check::same(sums.read(), table(64, [](size_t i) {
    return static_cast<long long>(4 * i + 4 * ((i + 5) % 64)) + (static_cast<long long>(i + (i + 1) % 64) << 40);
  }), "hints");
  check::same(flags.read(), table(64, [](size_t i) { return static_cast<int>(1000 + i); }), "volatile");
  return check::finish();
}
