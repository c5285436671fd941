// Control flow that an optimiser turns over, beside barriers: loops with two entries, threads that end inside of a function, warps that leave
// a loop of barriers, a loop that a vote of the block ends, producers and consumers on named barriers.
// levels: 0 2
#include "check.hpp"

__host__ __device__ int twoEntries(int i) {
  int value = 0, left = i;
  if ((i & 1) != 0) goto middle;
top:
  value += 3;
  if (left <= 0) return value;
middle:
  left -= 2;
  value += left & 3;
  if (value % 7 != 3) goto top;
  if (left > 0) goto middle;
  return value;
}

__global__ void jumps(int* out) { out[threadIdx.x] = twoEntries(threadIdx.x); }

__device__ __noinline__ void endIf(bool condition) {
  if (condition) asm volatile("exit;");
}

// The other lanes of the warps go on to the barrier.
__global__ void endInside(int* out) {
  __shared__ int tile[96];
  const int i = threadIdx.x;
  tile[i] = 0;
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
    endIf(i % 32 > 20 && round == 2);
    tile[i] += round;
  }
  __syncthreads();
  out[i] = tile[i] + tile[(i + 32) % 96];
}

// Whole warps leave; the rest meets without them.
__global__ void warpsLeave(int* out) {
  __shared__ int tile[128];
  const int i = threadIdx.x, warp = i / 32;
  tile[i] = 0;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (warp < round) return;
    tile[i] += round;
    __syncthreads();
  }
  out[i] = tile[i];
}

// Breadth-first search of one block, until no thread has changed anything.
__global__ void search(const int* edges, int* distance, int count) {
  const int i = threadIdx.x;
  int level = 0;
  bool more = true;
  while (more) {
    bool changed = false;
    if (i < count && distance[i] == level) {
      for (int k = 0; k < 3; ++k) {
        const int to = edges[3 * i + k];
        if (distance[to] >= 0) continue;
        distance[to] = level + 1;
        changed = true;
      }
    }
    ++level;
    more = __syncthreads_or(changed) != 0;
  }
}

__global__ void producers(int* out) {
  __shared__ int tile[64];
  const int i = threadIdx.x;
  for (int round = 0; round < 5; ++round) {
    if (i < 64) {
      tile[i] = round * 100 + i;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
      asm volatile("bar.sync 2, 128;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      out[round * 64 + i - 64] = tile[(i + 5) % 64];
      asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
}

// Two buffers in turn, whose choice is a variable.
__global__ void scan(int* values) {
  __shared__ int tile[2][256];
  const int i = threadIdx.x;
  int in = 0;
  tile[0][i] = values[i];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    tile[1 - in][i] = i >= step ? tile[in][i] + tile[in][i - step] : tile[in][i];
    in = 1 - in;
    __syncthreads();
  }
  values[i] = tile[in][i];
}

int main() {
  Buffer<int> out(64);
  jumps<<<1, 64>>>(out);
  check::same(out.read(), table(64, [](size_t i) { return twoEntries(static_cast<int>(i)); }), "two entries");
  Buffer<int> ended(96);
  endInside<<<1, 96>>>(ended);
  check::same(ended.read(), table(96, [](size_t i) { return i % 32 > 20 ? 0 : 20; }), "end inside");
  Buffer<int> left(128);
  warpsLeave<<<1, 128>>>(left);
  check::same(left.read(), table(128, [](size_t i) { return i < 96 ? 0 : 6; }), "warps leave");

  constexpr int kCount = 100;
  std::vector<int> edges, distance(kCount, -1);
  for (int i = 0; i < kCount; ++i) edges.insert(edges.end(), {(i + 1) % kCount, i * 2 % kCount, (i + 17) % kCount});
  distance[0] = 0;
  Buffer<int> edgesThere(edges), distanceThere(distance);
  for (int level = 0, changed = 1; changed != 0; ++level) {
    changed = 0;
    for (int i = 0; i < kCount; ++i)
      for (int k = 0; k < 3 && distance[i] == level; ++k)
        if (distance[edges[3 * i + k]] < 0) distance[edges[3 * i + k]] = level + 1, changed = 1;
  }
  search<<<1, 128>>>(edgesThere, distanceThere, kCount);
  check::same(distanceThere.read(), distance, "search");
  Buffer<int> consumed(320);
  producers<<<1, 128>>>(consumed);
  check::same(consumed.read(), table(320, [](size_t i) { return static_cast<int>(i / 64 * 100 + (i % 64 + 69) % 64); }), "producers");
  Buffer<int> sums(std::vector<int>(256, 3));
  scan<<<1, 256>>>(sums);
  check::same(sums.read(), table(256, [](size_t i) { return static_cast<int>(3 * i + 3); }), "scan");
  return check::finish();
}
