// What is written to shared memory before a barrier is read after it, whatever the optimiser makes of variables that are internal to the
// module: broadcasts, queues, flags that end loops, barriers in nested loops.
// levels: 0 1 2 3
// checked: twoPlaces.*barrier 0 is reached here by some threads
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

// One thread sets, all read. The read must not sink into the branch that the other threads take before the barrier.
__global__ void broadcast(const int* in, int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = in[blockIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

// The same variable is set again by another warp, and a second one with it.
__global__ void broadcastTwice(const int* in, int* out) {
  __shared__ int value;
  __shared__ int other[2];
  if (threadIdx.x == 0) value = in[blockIdx.x];
  __syncthreads();
  const int first = value;
  __syncthreads();
  if (threadIdx.x == 33) {
    value = first + 1;
    other[0] = first;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = value + other[0];
}

// Every kind of barrier between the writer and the readers.
template <typename Barrier>
__device__ int across(Barrier barrier, int set) {
  __shared__ int value;
  __syncthreads();
  if (threadIdx.x == 0) value = set;
  barrier();
  const int seen = value;
  barrier();
  return seen;
}

__global__ void everyBarrier(int set, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  int sum = across([] { __syncthreads(); }, set);
  sum += 2 * across([] { __syncthreads_count(1); }, set + 1);
  sum += 3 * across([] { __syncthreads_and(threadIdx.x < 5); }, set + 2);
  sum += 4 * across([] { __syncthreads_or(threadIdx.x < 5); }, set + 3);
  sum += 5 * across([&] { block.sync(); }, set + 4);
  sum += 6 * across([&] { cg::sync(block); }, set + 5);
  out[threadIdx.x] = sum;
}

// Within a warp: the barrier of its lanes, whole and in part, and those of tiles.
__global__ void withinWarps(int* out) {
  __shared__ int value[2], ofTile[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  if (lane == 0) value[warp] = 3 * warp + 1;
  __syncwarp();
  int sum = value[warp];
  __syncwarp();
  if (lane < 16) {
    if (lane == 5) value[warp] = sum + 10;
    __syncwarp(0xffff);
    sum += value[warp];
  }
  __syncwarp();
  if (tile.thread_rank() == 0) ofTile[tile.meta_group_rank()] = static_cast<int>(tile.meta_group_rank()) * 100;
  tile.sync();
  out[threadIdx.x] = sum + ofTile[tile.meta_group_rank()];
}

// A block takes work from a queue until there is none.
__global__ void queue(int* next, int* out, int count) {
  __shared__ int item;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) item = atomicAdd(next, 1);
    __syncthreads();
    const int mine = item;
    if (mine >= count) return;
    int value = 0;
    for (int i = 0; i < mine * 7 % 50 + static_cast<int>(threadIdx.x) % 3; ++i) value += i;
    atomicAdd(&out[mine], value + 1);
  }
}

// One thread ends the loop of all.
__global__ void endedByFlag(int* out) {
  __shared__ int done, rounds;
  if (threadIdx.x == 0) done = rounds = 0;
  __syncthreads();
  while (true) {
    if (threadIdx.x == 37 && ++rounds == 10) done = 1;
    __syncthreads();
    if (done) break;
    __syncthreads();
  }
  out[threadIdx.x] = rounds;
}

// Barriers at several places of nested loops, under conditions that are the same for the whole block.
__global__ void nested(int* out, int count) {
  __shared__ int tile[64];
  const int i = threadIdx.x;
  int value = 0;
  for (int round = 0; round < count; ++round) {
    if (round % 3 == 1) continue;
    tile[i] = round + i;
    __syncthreads();
    for (int j = 0; j < 3; ++j) {
      if (j == round % 3) {
        __syncthreads();
        continue;
      }
      value += tile[(i + j) % 64];
      if (i % 5 == j) continue;
      ++value;
    }
    __syncthreads();
  }
  out[i] = value;
}

int expectedNested(int i, int count) {
  int value = 0;
  for (int round = 0; round < count; ++round) {
    if (round % 3 == 1) continue;
    for (int j = 0; j < 3; ++j)
      if (j != round % 3) value += round + (i + j) % 64 + (i % 5 != j);
  }
  return value;
}

// One barrier that the warps reach at two places.
__global__ void twoPlaces(int* out) {
  __shared__ int low[32], high[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    low[lane] = lane;
    __syncthreads();
    out[threadIdx.x] = high[lane];
  } else {
    high[lane] = 2 * lane;
    __syncthreads();
    out[threadIdx.x] = low[lane];
  }
}

int main() {
  Buffer<int> in(table(4, [](size_t i) { return static_cast<int>(10 * i + 5); })), out(256);
  broadcast<<<4, 64>>>(in, out);
  check::same(out.read(), table(256, [](size_t i) { return static_cast<int>(i / 64 * 10 + 5); }), "broadcast");
  broadcastTwice<<<4, 64>>>(in, out);
  check::same(out.read(), table(256, [](size_t i) { return static_cast<int>(2 * (i / 64 * 10 + 5) + 1); }), "twice");
  everyBarrier<<<1, 256>>>(7, out);
  check::same(out.read(), std::vector<int>(256, 7 * 21 + 2 + 6 + 12 + 20 + 30), "every barrier");
  withinWarps<<<1, 64>>>(out);
  auto warps = out.read();
  warps.resize(64);
  check::same(warps, table(64, [](size_t i) {
    const int first = static_cast<int>(i / 32 * 3 + 1);
    return first + (i % 32 < 16 ? first + 10 : 0) + static_cast<int>(i / 8 * 100);
  }), "within warps");

  Buffer<int> next(1), done(300);
  queue<<<8, 96>>>(next, done, 300);
  check::same(done.read(), table(300, [](size_t item) {
    int sum = 0;
    for (int i = 0; i < 96; ++i) {
      const int steps = static_cast<int>(item * 7 % 50) + i % 3;
      sum += steps * (steps - 1) / 2 + 1;
    }
    return sum;
  }), "queue");
  Buffer<int> small(64);
  endedByFlag<<<1, 64>>>(small);
  check::same(small.read(), std::vector<int>(64, 10), "ended by a flag");
  nested<<<1, 64>>>(small, 10);
  check::same(small.read(), table(64, [](size_t i) { return expectedNested(static_cast<int>(i), 10); }), "nested loops");
  twoPlaces<<<1, 64>>>(small);
  check::same(small.read(), table(64, [](size_t i) { return static_cast<int>(i < 32 ? 2 * i : i - 32); }), "two places");
  return check::finish();
}
