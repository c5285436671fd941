// A dense switch, which compilers make an indexed branch, and one whose cases are far apart.
#include "check.hpp"

__host__ __device__ __noinline__ int dense(int selector, int value) {
  switch (selector) {
    case 0: return value + 1;
    case 1: return value * 3;
    case 2: return value - 7;
    case 3: return value ^ 0x55;
    case 4: return value << 2;
    case 5: value += 9; [[fallthrough]];
    case 6: return value * value;
    case 7: return -value;
    case 8: return value / 3;
    case 9: return value % 7;
    case 10: return value & 0xf0;
    case 11: return ~value;
    default: return 0;
  }
}
__host__ __device__ int sparse(int selector) {
  switch (selector) {
    case 1: return 10;
    case 1000: return 20;
    case -50: return 30;
    case 123456: return 40;
    default: return selector & 1;
  }
}

__global__ void select(const int* selectors, int* out) {
  const int i = threadIdx.x;
  out[i] = dense(selectors[i] % 14, i) + 1000000 * sparse(selectors[i]);
}

int main() {
  const int marks[] = {1, 1000, -50, 123456};
  const auto selectors = table(256, [&](size_t i) { return i % 9 == 0 ? marks[i % 4] : static_cast<int>(i * 7919 % 1009); });
  Buffer<int> in(selectors), out(256);
  select<<<1, 256>>>(in, out);
  check::same(out.read(), table(256, [&](size_t i) { return dense(selectors[i] % 14, static_cast<int>(i)) + 1000000 * sparse(selectors[i]); }), "selected");
  return check::finish();
}
