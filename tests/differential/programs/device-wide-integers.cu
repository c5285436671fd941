// 64-bit and 128-bit integers: products, quotients, shifts, and what bit fields and unions make of them.
#include "check.hpp"

struct Fields {
  unsigned low : 5;
  signed middle : 11;
  unsigned long long high : 40;
};
union Bits {
  double number;
  unsigned long long word;
};

__host__ __device__ void compute(unsigned long long* out, unsigned long long a, unsigned long long b) {
  const long long sa = static_cast<long long>(a), sb = static_cast<long long>(b);
  out[0] = a * b;
  out[1] = a / b;
  out[2] = a % b;
  out[3] = static_cast<unsigned long long>(sa / sb);
  out[4] = static_cast<unsigned long long>(sa % sb);
  out[5] = a << (b & 63) | a >> (64 - (b & 63)) % 64;
  out[6] = static_cast<unsigned long long>(sa >> (b & 63));
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b + a;
  out[7] = static_cast<unsigned long long>(product);
  out[8] = static_cast<unsigned long long>(product >> 64);
  out[9] = static_cast<unsigned long long>((static_cast<__int128>(sa) - sb) >> 3);
  Fields fields{};
  fields.low = static_cast<unsigned>(a);
  fields.middle = static_cast<int>(b % 1000) - 500;
  fields.high = a ^ b;
  out[10] = fields.low + 100ull * fields.high + static_cast<unsigned long long>(static_cast<long long>(fields.middle));
  Bits bits;
  bits.word = (a >> 12) | 0x3ff0000000000000ull;
  bits.number = bits.number * 2 - 1;
  out[11] = bits.word;
}

__global__ void kernel(unsigned long long* out, const unsigned long long* values) {
  compute(out + 12 * threadIdx.x, values[threadIdx.x], values[(threadIdx.x * 7 + 1) % blockDim.x]);
}

int main() {
  unsigned long long state = 88172645463325252ull;
  const auto values = table(128, [&](size_t i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return i < 4 ? i + 1 : state >> (i % 4 * 15);
  });
  Buffer<unsigned long long> in(values), out(12 * 128);
  kernel<<<1, 128>>>(out, in);
  std::vector<unsigned long long> wanted(12 * 128);
  for (int i = 0; i < 128; ++i) compute(&wanted[12 * i], values[i], values[(i * 7 + 1) % 128]);
  check::same(out.read(), wanted, "results");
  return check::finish();
}
