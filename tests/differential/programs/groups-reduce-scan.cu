// Cooperative groups: reductions and scans over tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.hpp"

namespace cg = cooperative_groups;

__global__ void collect(const int* values, int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(cg::this_thread_block());
  const int i = threadIdx.x, value = values[i];
  out[i] = cg::reduce(warp, value, cg::plus<int>());
  out[64 + i] = cg::reduce(eight, value, cg::less<int>());
  out[128 + i] = cg::reduce(warp, value, cg::bit_xor<int>());
  out[192 + i] = cg::inclusive_scan(warp, value, cg::plus<int>());
  out[256 + i] = cg::exclusive_scan(eight, value, cg::plus<int>());
  out[320 + i] = cg::reduce(eight, value, cg::greater<int>());
}

int main() {
  const auto values = table(64, [](size_t i) { return static_cast<int>(i * 7919 % 251) - 100; });
  Buffer<int> in(values), out(384);
  collect<<<1, 64>>>(in, out);
  check::same(out.read(), table(384, [&](size_t index) {
    const int i = static_cast<int>(index % 64), warp = i / 32 * 32, tile = i / 8 * 8;
    int sum = 0, low = 1000, high = -1000, parity = 0, upTo = 0, before = 0;
    for (int k = warp; k < warp + 32; ++k) {
      sum += values[k], parity ^= values[k];
      upTo += k <= i ? values[k] : 0;
    }
    for (int k = tile; k < tile + 8; ++k) {
      low = values[k] < low ? values[k] : low;
      high = values[k] > high ? values[k] : high;
      before += k < i ? values[k] : 0;
    }
    const int rows[] = {sum, low, parity, upTo, before, high};
    return rows[index / 64];
  }), "results");
  return check::finish();
}
