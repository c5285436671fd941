// The functions for dynamic programming (__viaddmax_s32 …), on device and host: sums, minima and maxima of two and three numbers.
#include "check.hpp"

constexpr unsigned kCount = 4096;

// The members of a family: words or halfwords, signed or not.
#define FOR_ALL(use, function) use(function, s32, int) use(function, u32, unsigned) use(function, s16x2, unsigned) use(function, u16x2, unsigned)
#define FOR_SIGNED(use, function) use(function, s32, int) use(function, s16x2, unsigned)

#define CALL_3(function, suffix, T) out[n++] = static_cast<unsigned>(__##function##_##suffix(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)));
#define CALL_RELU_3(function, suffix, T) \
  out[n++] = static_cast<unsigned>(__##function##_##suffix##_relu(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)));
#define CALL_RELU_2(function, suffix, T) out[n++] = static_cast<unsigned>(__##function##_##suffix##_relu(static_cast<T>(a), static_cast<T>(b)));
#define CALL_WHICH(function, suffix, T)                                                                  \
  out[n] = static_cast<unsigned>(__##function##_##suffix(static_cast<T>(a), static_cast<T>(b), &first)); \
  out[n + 1] = first, n += 2;
#define CALL_WHICH_HALVES(function, suffix, T)                          \
  out[n] = __##function##_##suffix(a, b, &first, &second);              \
  out[n + 1] = first * 2u + second, n += 2;

constexpr unsigned kResults = 16 + 8 + 4 + 16;

__host__ __device__ void all(unsigned a, unsigned b, unsigned c, unsigned* out) {
  unsigned n = 0;
  bool first = false, second = false;
  FOR_ALL(CALL_3, viaddmax)
  FOR_ALL(CALL_3, viaddmin)
  FOR_ALL(CALL_3, vimax3)
  FOR_ALL(CALL_3, vimin3)
  FOR_SIGNED(CALL_RELU_3, viaddmax)
  FOR_SIGNED(CALL_RELU_3, viaddmin)
  FOR_SIGNED(CALL_RELU_3, vimax3)
  FOR_SIGNED(CALL_RELU_3, vimin3)
  FOR_SIGNED(CALL_RELU_2, vimax)
  FOR_SIGNED(CALL_RELU_2, vimin)
  CALL_WHICH(vibmax, s32, int)
  CALL_WHICH(vibmax, u32, unsigned)
  CALL_WHICH(vibmin, s32, int)
  CALL_WHICH(vibmin, u32, unsigned)
  CALL_WHICH_HALVES(vibmax, s16x2, unsigned)
  CALL_WHICH_HALVES(vibmax, u16x2, unsigned)
  CALL_WHICH_HALVES(vibmin, s16x2, unsigned)
  CALL_WHICH_HALVES(vibmin, u16x2, unsigned)
}

__global__ void compute(const unsigned* values, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  all(values[3 * i], values[3 * i + 1], values[3 * i + 2], out + kResults * i);
}

// The reference: one number of `bits` bits at a time.
struct Number {
  int bits;
  bool isSigned;
  long long wrap(long long value) const {
    const long long low = value & ((1ll << bits) - 1);
    return isSigned && low >> (bits - 1) ? low - (1ll << bits) : low;
  }
};

template <typename Function>
unsigned perLane(Number number, unsigned a, unsigned b, unsigned c, Function function) {
  unsigned result = 0;
  for (int at = 0; at < 32; at += number.bits) {
    const long long value = function(number.wrap(a >> at), number.wrap(b >> at), number.wrap(c >> at));
    result |= static_cast<unsigned>((value & ((1ll << number.bits) - 1)) << at);
  }
  return result;
}

long long greater(long long x, long long y) { return x > y ? x : y; }
long long smaller(long long x, long long y) { return x < y ? x : y; }

// For each number the result of the pair, then the bits that say whether it is the first, high lane first.
template <typename Choice, typename IsFirst>
void which(std::vector<unsigned>& wanted, Number number, unsigned a, unsigned b, Choice choice, IsFirst isFirst) {
  wanted.push_back(perLane(number, a, b, 0, [&](long long x, long long y, long long) { return choice(x, y); }));
  unsigned flags = 0;
  for (int at = 32 - number.bits; at >= 0; at -= number.bits) flags = 2 * flags + isFirst(number.wrap(a >> at), number.wrap(b >> at));
  wanted.push_back(flags);
}

void reference(unsigned a, unsigned b, unsigned c, std::vector<unsigned>& wanted) {
  const Number all[] = {{32, true}, {32, false}, {16, true}, {16, false}}, withSign[] = {all[0], all[2]};
  const auto each = [&](const auto& numbers, auto function) {
    for (const Number& number : numbers)
      wanted.push_back(perLane(number, a, b, c, [&](long long x, long long y, long long z) { return function(number, x, y, z); }));
  };
  using L = long long;
  const auto addMax = [](const Number& n, L x, L y, L z) { return greater(n.wrap(x + y), z); };
  const auto addMin = [](const Number& n, L x, L y, L z) { return smaller(n.wrap(x + y), z); };
  const auto max3 = [](const Number&, L x, L y, L z) { return greater(greater(x, y), z); };
  const auto min3 = [](const Number&, L x, L y, L z) { return smaller(smaller(x, y), z); };
  const auto relu = [](auto function) { return [=](const Number& n, L x, L y, L z) { return greater(function(n, x, y, z), 0); }; };
  each(all, addMax), each(all, addMin), each(all, max3), each(all, min3);
  each(withSign, relu(addMax)), each(withSign, relu(addMin)), each(withSign, relu(max3)), each(withSign, relu(min3));
  each(withSign, [](const Number&, L x, L y, L) { return greater(greater(x, y), 0); });
  each(withSign, [](const Number&, L x, L y, L) { return greater(smaller(x, y), 0); });
  for (const int bits : {32, 16}) {
    for (const bool isSigned : {true, false}) which(wanted, {bits, isSigned}, a, b, greater, [](L x, L y) { return x >= y; });
    for (const bool isSigned : {true, false}) which(wanted, {bits, isSigned}, a, b, smaller, [](L x, L y) { return x <= y; });
  }
}

int main() {
  // Small, large and equal halfwords; the middle bits of a product serve as random numbers.
  const auto values = table(3 * kCount, [](size_t i) {
    const unsigned random = static_cast<unsigned>((i + 7) * 0x9e3779b97f4a7c15ull >> 24);
    return i % 5 == 0 ? random & 0x80018001u : i % 7 == 0 ? random | 0x7fff7fffu : random;
  });
  Buffer<unsigned> in(values), out(kCount * kResults);
  compute<<<kCount / 64, 64>>>(in, out);
  std::vector<unsigned> wanted, host(kCount * kResults);
  for (unsigned i = 0; i < kCount; ++i) {
    reference(values[3 * i], values[3 * i + 1], values[3 * i + 2], wanted);
    all(values[3 * i], values[3 * i + 1], values[3 * i + 2], host.data() + kResults * i);
  }
  check::same(out.read(), wanted, "device");
  check::same(host, wanted, "host");
  return check::finish();
}
