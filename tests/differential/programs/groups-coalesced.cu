// Cooperative groups of the lanes that take a branch together: ranks, shuffles, one atomic for all of them, labels.
// Without optimisation the lanes come to a branch on two conditions in two parts, and so do coalesced_threads().
// levels: 1 2 3
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

__device__ int aggregated(int* counter) {
  const auto active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(active.size()));
  return active.shfl(first, 0) + static_cast<int>(active.thread_rank());
}

__global__ void filter(const int* in, int* out, int* counter) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value % 3 == 0) out[aggregated(counter)] = value;
}

__global__ void ranks(int* out) {
  const int i = threadIdx.x;
  out[i] = -1;
  if (i % 4 == 1 || i > 20) {
    const auto group = cg::coalesced_threads();
    out[i] = static_cast<int>(100 * group.size() + group.thread_rank());
    out[32 + i] = group.shfl_down(i, 1);
  }
}

int main() {
  const auto values = table(1024, [](size_t i) { return static_cast<int>(i * 7919 % 3001); });
  Buffer<int> in(values), out(1024), counter(1);
  filter<<<4, 256>>>(in, out, counter);
  // Blocks and warps may come in any order, so the values are counted rather than compared in place.
  std::vector<int> found(3001), wanted(3001);
  const int count = counter.read()[0];
  for (const int value : values) wanted[value] += value % 3 == 0;
  const auto kept = out.read();
  for (int i = 0; i < count; ++i) ++found[kept[i]];
  check::same(found, wanted, "multiples of three");

  Buffer<int> places(64);
  ranks<<<1, 32>>>(places);
  std::vector<int> members, expected(64);
  for (int i = 0; i < 32; ++i) {
    expected[i] = -1;
    if (i % 4 == 1 || i > 20) members.push_back(i);
  }
  for (size_t rank = 0; rank < members.size(); ++rank) {
    expected[members[rank]] = static_cast<int>(100 * members.size() + rank);
    expected[32 + members[rank]] = rank + 1 < members.size() ? members[rank + 1] : members[rank];
  }
  check::same(places.read(), expected, "ranks");
  return check::finish();
}
