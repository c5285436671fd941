// Cooperative groups: the block, and tiles of it with shuffles and votes of their own.
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

__global__ void tiles(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto eight = cg::tiled_partition<8>(block);
  const auto warp = cg::tiled_partition<32>(block);
  const auto four = cg::tiled_partition<4>(warp);
  const int rank = block.thread_rank();
  int sum = rank;
  for (int step = eight.size() / 2; step > 0; step /= 2) sum += eight.shfl_down(sum, step);
  out[rank] = eight.shfl(sum, 0);
  out[128 + rank] = 100 * eight.meta_group_rank() + eight.thread_rank();
  out[256 + rank] = static_cast<int>(four.ballot(rank % 3 == 0)) + 100 * four.any(rank == 50) + 1000 * four.all(rank < 64);
  out[384 + rank] = static_cast<int>(warp.match_any(rank % 9));
  block.sync();
}

int main() {
  Buffer<int> out(512);
  tiles<<<1, dim3(16, 8)>>>(out);
  check::same(out.read(), table(512, [](size_t index) {
    const int rank = static_cast<int>(index % 128);
    int ballot = 0, any = 0, all = 1;
    unsigned match = 0;
    for (int i = 0; i < 4; ++i) {
      const int other = rank / 4 * 4 + i;
      ballot |= (other % 3 == 0) << i;
      any |= other == 50;
      all &= other < 64;
    }
    for (int i = 0; i < 32; ++i) match |= static_cast<unsigned>((rank / 32 * 32 + i) % 9 == rank % 9) << i;
    switch (index / 128) {
      case 0: return 8 * (rank / 8 * 8) + 28;
      case 1: return 100 * (rank / 8) + rank % 8;
      case 2: return ballot + 100 * any + 1000 * all;
      default: return static_cast<int>(match);
    }
  }), "tiles");
  return check::finish();
}
