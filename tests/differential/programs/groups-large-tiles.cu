// Tiles of more than a warp, which work in shared memory that the program gives them: barriers, shuffles, votes, reductions, scans.
// levels: 0 2
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.hpp"

namespace cg = cooperative_groups;

template <unsigned size>
__global__ void tiles(int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int values[256];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<size>(block);
  const int i = block.thread_rank(), rank = tile.thread_rank();
  values[i] = 3 * i;
  tile.sync();
  int* row = out + i;
  row[0] = values[i - rank + (rank + 1) % size];
  row[256] = tile.shfl(i * i, 37);
  row[512] = cg::reduce(tile, i, cg::plus<int>());
  row[768] = cg::inclusive_scan(tile, i % 7, cg::plus<int>());
  row[1024] = cg::exclusive_scan(tile, i % 5);
  row[1280] = tile.any(i == 70) + 2 * tile.all(i < 128);
  row[1536] = static_cast<int>(1000 * tile.meta_group_size() + 100 * tile.meta_group_rank() + tile.size());
  // Tiles of the tile.
  const auto warp = cg::tiled_partition<32>(tile);
  row[1792] = static_cast<int>(warp.shfl(i, 3) + 1000 * warp.meta_group_size() + 100 * warp.meta_group_rank());
}

template <unsigned size>
void compare(const char* name) {
  Buffer<int> out(2048);
  tiles<size><<<1, dim3(64, 4)>>>(out);
  check::same(out.read(), table(2048, [](size_t index) {
    const int i = static_cast<int>(index % 256), first = i / size * size, rank = i - first;
    int sum = 0, scan = 0, before = 0, any = 0, all = 1;
    for (int k = first; k < first + static_cast<int>(size); ++k) {
      sum += k;
      scan += k <= i ? k % 7 : 0;
      before += k < i ? k % 5 : 0;
      any |= k == 70;
      all &= k < 128;
    }
    switch (index / 256) {
      case 0: return 3 * (first + (rank + 1) % static_cast<int>(size));
      case 1: return (first + 37) * (first + 37);
      case 2: return sum;
      case 3: return scan;
      case 4: return before;
      case 5: return any + 2 * all;
      case 6: return static_cast<int>(1000 * (256 / size) + 100 * (i / size) + size);
      default: return static_cast<int>(i / 32 * 32 + 3 + 1000 * (size / 32) + 100 * (rank / 32));
    }
  }), name);
}

int main() {
  compare<64>("64");
  compare<128>("128");
  compare<256>("256");
  return check::finish();
}
