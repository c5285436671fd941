// match_any and match_all: lanes that hold the same value, of 32 and 64 bits.
#include "check.hpp"

__global__ void match(unsigned* out) {
  const int lane = threadIdx.x;
  out[lane] = __match_any_sync(~0u, lane * lane % 7);
  out[32 + lane] = __match_any_sync(~0u, static_cast<unsigned long long>(lane % 5) << 35);
  int agrees = -1;
  out[64 + lane] = __match_all_sync(~0u, lane / 64, &agrees);
  out[96 + lane] = agrees;
  out[128 + lane] = __match_all_sync(~0u, lane == 9 ? 1.0 : 2.0, &agrees);
  out[160 + lane] = agrees;
}

int main() {
  Buffer<unsigned> out(192);
  match<<<1, 32>>>(out);
  check::same(out.read(), table(192, [](size_t i) {
    const unsigned lane = i % 32;
    unsigned mask = 0;
    for (unsigned other = 0; other < 32; ++other) {
      if (i < 32 && other * other % 7 == lane * lane % 7) mask |= 1u << other;
      if (i >= 32 && i < 64 && other % 5 == lane % 5) mask |= 1u << other;
    }
    return i < 64 ? mask : i < 96 ? ~0u : i < 128 ? 1u : 0u;
  }), "masks");
  return check::finish();
}
