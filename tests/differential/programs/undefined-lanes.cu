// Variables that only some lanes have set go through shuffles, votes and matches, as CUDA's guide writes warp-aggregated atomics. The
// lanes without a value are not asked for theirs, so the condition that guards the setting must survive.
// levels: 0 1 2 3
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

__global__ void byShuffle(const int* in, int count, int* out, int* kept) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || in[i] % 3 != 0) return;
  const unsigned active = __activemask();
  const int lane = threadIdx.x % 32, leader = __ffs(static_cast<int>(active)) - 1;
  int base;
  if (lane == leader) base = atomicAdd(kept, __popc(active));
  base = __shfl_sync(active, base, leader);
  out[base + __popc(active & ((1u << lane) - 1))] = in[i];
}

__global__ void byGroup(const int* in, int count, int* out, int* kept) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || in[i] % 3 != 0) return;
  const auto group = cg::coalesced_threads();
  int base;
  if (group.thread_rank() == 0) base = atomicAdd(kept, static_cast<int>(group.size()));
  out[group.shfl(base, 0) + group.thread_rank()] = in[i];
}

// The value passes through functions of the program on its way.
__device__ int fromLane(unsigned mask, int value, int lane) { return __shfl_sync(mask, value, lane); }
__device__ __noinline__ int fromLeader(unsigned mask, int value) { return fromLane(mask, value, __ffs(static_cast<int>(mask)) - 1); }

__global__ void byFunction(const int* in, int count, int* out, int* kept) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || in[i] % 3 != 0) return;
  const unsigned active = __activemask();
  const int lane = threadIdx.x % 32;
  int base;
  if ((active & ((1u << lane) - 1)) == 0) base = atomicAdd(kept, __popc(active));
  out[fromLeader(active, base) + __popc(active & ((1u << lane) - 1))] = in[i];
}

// One lane of each warp takes a number, and so do all even ones, with every type that shuffles take.
template <typename T>
__global__ void taken(T* counter, T* out) {
  const int lane = threadIdx.x % 32;
  T before;
  if (lane == 7) before = atomicAdd(counter, T(1));
  const T seen = __shfl_sync(~0u, before, 7);
  T other;
  if (lane % 2 == 0) other = atomicAdd(counter, T(1)) * T(0) + T(lane);
  const T even = __shfl_sync(~0u, other, lane & ~1);
  out[threadIdx.x] = even + T(lane % 2) + T(seen < T(34));
}

// A vote and a match of values that the other lanes do not have: each group asks its own lanes.
__global__ void votes(int* counter, int* out) {
  const int lane = threadIdx.x;
  int mine;
  if (lane < 16) mine = atomicAdd(counter, 1) >= 0 ? lane / 8 : -1;
  const unsigned ballot = __ballot_sync(~0u, mine) & 0xffff;
  const unsigned same = __match_any_sync(~0u, mine) & 0xffff;
  out[lane] = lane < 16 ? static_cast<int>(ballot << 16 | same) : 0;
}

template <typename Kernel>
void aggregated(Kernel kernel, const char* name) {
  constexpr int kCount = 1000;
  const auto values = table(kCount, [](size_t i) { return static_cast<int>(i * 7919 % 3001); });
  Buffer<int> in(values), out(kCount), kept(1);
  kernel<<<8, 128>>>(in, kCount, out, kept);
  std::vector<int> found(3001), wanted(3001);
  int multiples = 0;
  for (const int value : values) {
    wanted[value] += value % 3 == 0;
    multiples += value % 3 == 0;
  }
  check::same(kept.read(), std::vector<int>{multiples}, name);
  const auto written = out.read();
  for (int i = 0; i < multiples; ++i) ++found[written[i]];
  check::same(found, wanted, name);
}

template <typename T>
void takenAs(const char* name) {
  Buffer<T> counter(1), out(64);
  taken<T><<<2, 32>>>(counter, out);
  // One of lane 7 and sixteen of the even lanes, in each of two warps.
  check::same(counter.read(), std::vector<T>{T(34)}, name);
  auto first = out.read();
  first.resize(32);
  check::same(first, table(32, [](size_t lane) { return T(lane + 1); }), name);
}

int main() {
  aggregated(byShuffle, "by shuffle");
  aggregated(byGroup, "by group");
  aggregated(byFunction, "by function");
  takenAs<int>("int");
  takenAs<unsigned>("unsigned");
  takenAs<unsigned long long>("unsigned long long");
  takenAs<float>("float");
  Buffer<int> counter(1), out(32);
  votes<<<1, 32>>>(counter, out);
  check::same(counter.read(), std::vector<int>{16}, "counted once");
  check::same(out.read(), table(32, [](size_t lane) { return lane < 16 ? static_cast<int>(0xff000000u | (lane < 8 ? 0xffu : 0xff00u)) : 0; }), "votes");
  return check::finish();
}
