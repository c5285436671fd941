// Cooperative groups: the grid's ranks and sizes under a cooperative launch, partitions by predicate and by label.
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

__global__ void identify(unsigned long long* out) {
  const auto grid = cg::this_grid();
  const unsigned long long rank = grid.thread_rank();
  out[rank] = grid.size() * 1000 + grid.block_rank();
  grid.sync();
  const unsigned long long other = out[grid.size() - 1 - rank];
  grid.sync();
  out[rank] += other % 1000 * 1000000;
}

__global__ void partitions(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = threadIdx.x;
  const auto side = cg::binary_partition(warp, i % 3 == 0);
  out[i] = static_cast<int>(100 * side.size() + side.thread_rank());
  const auto label = cg::labeled_partition(warp, i % 5);
  out[32 + i] = static_cast<int>(100 * label.size() + label.thread_rank());
}

int main() {
  Buffer<unsigned long long> ranks(6 * 32);
  unsigned long long* pointer = ranks;
  void* arguments[] = {&pointer};
  CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(identify), dim3(3, 2), dim3(8, 4), arguments, 0, nullptr));
  check::same(ranks.read(), table(192, [](size_t i) { return 192000ull + i / 32 + (191 - i) / 32 * 1000000ull; }), "grid");
  Buffer<int> out(64);
  partitions<<<1, 32>>>(out);
  check::same(out.read(), table(64, [](size_t index) {
    const int i = static_cast<int>(index % 32);
    int size = 0, rank = 0;
    for (int k = 0; k < 32; ++k) {
      const bool with = index < 32 ? (k % 3 == 0) == (i % 3 == 0) : k % 5 == i % 5;
      size += with;
      rank += with && k < i;
    }
    return 100 * size + rank;
  }), "partitions");
  return check::finish();
}
