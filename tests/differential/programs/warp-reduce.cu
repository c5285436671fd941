// redux.sync: sums, minima, maxima and bit operations of a warp in one instruction.
// arch: 80
#include "check.hpp"

__global__ void reduce(const int* values, int* out) {
  const int lane = threadIdx.x, value = values[lane];
  const unsigned bits = static_cast<unsigned>(value) * 2654435761u;
  out[lane] = __reduce_add_sync(~0u, value);
  out[32 + lane] = __reduce_min_sync(~0u, value);
  out[64 + lane] = __reduce_max_sync(~0u, value);
  out[96 + lane] = static_cast<int>(__reduce_min_sync(~0u, static_cast<unsigned>(value)));
  out[128 + lane] = static_cast<int>(__reduce_and_sync(~0u, bits | 0xff));
  out[160 + lane] = static_cast<int>(__reduce_or_sync(~0u, bits & 0xf0f00f));
  out[192 + lane] = static_cast<int>(__reduce_xor_sync(~0u, bits));
  out[224 + lane] = 0;
  if (lane % 4 == 1) out[224 + lane] = __reduce_add_sync(0x22222222u, value);
}

int main() {
  const auto values = table(32, [](size_t i) { return static_cast<int>(i * 7919 % 1000) - 500; });
  Buffer<int> in(values), out(256);
  reduce<<<1, 32>>>(in, out);
  int sum = 0, low = 1000, high = -1000, fourth = 0;
  unsigned least = ~0u, all = ~0u, some = 0, parity = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int value = values[lane];
    const unsigned word = static_cast<unsigned>(value), bits = word * 2654435761u;
    sum += value;
    low = value < low ? value : low;
    high = value > high ? value : high;
    least = word < least ? word : least;
    all &= bits | 0xff, some |= bits & 0xf0f00f, parity ^= bits;
    fourth += lane % 4 == 1 ? value : 0;
  }
  const int rows[8] = {sum, low, high, static_cast<int>(least), static_cast<int>(all), static_cast<int>(some), static_cast<int>(parity), fourth};
  check::same(out.read(), table(256, [&](size_t i) { return i < 224 || i % 4 == 1 ? rows[i / 32] : 0; }), "results");
  return check::finish();
}
