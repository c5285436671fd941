// PTX: %envreg1
// PTX: %envreg2
// PTX: shfl.sync.bfly.b32
// PTX: activemask.b32
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto sub = cg::tiled_partition<4>(tile);
  int v = threadIdx.x;
  int sum = cg::reduce(tile, v, cg::plus<int>());
  if (v & 1) { auto g = cg::coalesced_threads(); sum += g.size() + g.thread_rank() + cg::reduce(g, v, cg::greater<int>()) + g.ballot(v & 2); }
  cg::grid_group grid = cg::this_grid();
  if (grid.is_valid()) grid.sync();
  sum += sub.shfl_down(v, 1) + tile.any(v == 3) + cg::exclusive_scan(sub, v);
  cg::sync(block);
  out[grid.thread_rank()] = sum;
}
int main() {
  int* out; cudaMallocManaged(&out, 4096);
  k<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++) printf("%d ", out[i]);
  void* args[] = {&out};
  cudaLaunchCooperativeKernel((void*)k, dim3(2), dim3(32), args, 0, 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++) printf("%d ", out[i]);
}
