// Votes of a warp: all, any, ballot and the active mask, with all lanes, some, and after a branch.
#include "check.hpp"

__global__ void votes(unsigned* out, const int* values) {
  const int lane = threadIdx.x % 32, value = values[threadIdx.x];
  unsigned* row = out + threadIdx.x;
  row[0] = __all_sync(~0u, value >= 0);
  row[128] = __any_sync(~0u, value > 90);
  row[256] = __ballot_sync(~0u, value & 1);
  row[384] = 0;
  if (lane >= 10) row[384] = __ballot_sync(0xfffffc00u, value % 3 == 0);
  row[512] = 0;
  if (value % 5 == 0) row[512] = __popc(__activemask());
}

int main() {
  const auto values = table(128, [](size_t i) { return static_cast<int>(i * 37 % 97) - (i == 40); });
  Buffer<int> in(values);
  Buffer<unsigned> out(640);
  votes<<<1, 128>>>(out, in);
  std::vector<unsigned> wanted(640);
  for (int warp = 0; warp < 4; ++warp) {
    unsigned all = 1, any = 0, odd = 0, third = 0, fives = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const int value = values[32 * warp + lane];
      all &= value >= 0;
      any |= value > 90;
      odd |= static_cast<unsigned>(value & 1) << lane;
      third |= static_cast<unsigned>(lane >= 10 && value % 3 == 0) << lane;
      fives += value % 5 == 0;
    }
    for (int lane = 0; lane < 32; ++lane) {
      unsigned* row = wanted.data() + 32 * warp + lane;
      row[0] = all, row[128] = any, row[256] = odd;
      row[384] = lane >= 10 ? third : 0;
      row[512] = values[32 * warp + lane] % 5 == 0 ? fives : 0;
    }
  }
  check::same(out.read(), wanted, "votes");
  return check::finish();
}
