// Shuffles, votes and barriers of some lanes of a warp: in both sides of a branch, in loops of different length, after lanes have left a loop
// one by one, in a last warp that is not full.
// levels: 0 2
#include <algorithm>

#include "check.hpp"

__global__ void bothSides(int* out) {
  const int lane = threadIdx.x;
  int result;
  if (lane & 1) {
    result = __shfl_sync(0xaaaaaaaau, lane * 3, ((lane + 2) & 31) | 1);
  } else {
    result = __shfl_xor_sync(0x55555555u, lane * 5, 2);
  }
  __syncwarp();
  out[lane] = result;
}

// Three parts of the warp meet among themselves, then all.
__global__ void parts(int* out) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  int mine;
  if (lane < 8) {
    tile[lane] = lane;
    __syncwarp(0xff);
    mine = tile[7 - lane];
    __syncwarp(0xff);
    tile[lane] = mine + 1;
    __syncwarp(0xff);
  } else if (lane < 24) {
    tile[lane] = 2 * lane;
    __syncwarp(0xffff00);
    mine = tile[31 - lane];
  } else {
    tile[lane] = -lane;
    __syncwarp(0xff000000);
    mine = tile[55 - lane];
  }
  __syncwarp();
  out[lane] = mine + tile[lane & 7];
}

// Each warp makes another number of rounds, the last with 11 lanes.
__global__ void rounds(const int* in, int* out, int count) {
  const int i = threadIdx.x, warp = i / 32, lane = i % 32;
  const unsigned mask = __ballot_sync(__activemask(), i < count);
  if (i >= count) return;
  int sum = 0;
  for (int round = 0; round < 2 * warp + 1; ++round) {
    int value = in[i] + round;
    for (int step = 16; step > 0; step /= 2) {
      const int other = __shfl_down_sync(mask, value, step);
      if (lane + step < 32 && (mask >> (lane + step) & 1) != 0) value += other;
    }
    sum += __shfl_sync(mask, value, __ffs(static_cast<int>(mask)) - 1);
  }
  out[i] = sum;
}

int expectedRounds(const std::vector<int>& in, int i, int count) {
  const int first = i / 32 * 32, lanes = std::min(32, count - first);
  int sum = 0;
  for (int round = 0; round < 2 * (i / 32) + 1; ++round) {
    std::vector<int> value(in.begin() + first, in.begin() + first + lanes);
    for (int& one : value) one += round;
    for (int step = 16; step > 0; step /= 2) {
      const auto before = value;
      for (int lane = 0; lane + step < lanes; ++lane) value[lane] = before[lane] + before[lane + step];
    }
    sum += value[0];
  }
  return sum;
}

__host__ __device__ int collatzSteps(int i) {
  int steps = 0;
  for (int x = static_cast<int>(i * 2654435761u >> 16); x > 1; x = (x & 1) != 0 ? 3 * x + 1 : x / 2)
    if (++steps > 200) break;
  return steps;
}

// Lanes leave the loop one by one and meet after it.
__global__ void meet(int* out) {
  const int steps = collatzSteps(threadIdx.x);
  __syncwarp();
  int most = steps;
  for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_xor_sync(~0u, most, step));
  out[threadIdx.x] = most * 1000 + steps;
}

int main() {
  Buffer<int> out(32);
  bothSides<<<1, 32>>>(out);
  check::same(out.read(), table(32, [](size_t index) {
    const int lane = static_cast<int>(index);
    return (lane & 1) != 0 ? (((lane + 2) & 31) | 1) * 3 : (lane ^ 2) * 5;
  }), "both sides");
  parts<<<1, 32>>>(out);
  check::same(out.read(), table(32, [](size_t index) {
    const int lane = static_cast<int>(index);
    return (lane < 8 ? 7 - lane : lane < 24 ? 2 * (31 - lane) : lane - 55) + 8 - (lane & 7);
  }), "parts");
  const auto values = table(80, [](size_t i) { return static_cast<int>(i * 3 % 11); });
  Buffer<int> in(values), sums(75);
  rounds<<<1, 80>>>(in, sums, 75);
  check::same(sums.read(), table(75, [&](size_t i) { return expectedRounds(values, static_cast<int>(i), 75); }), "rounds");
  meet<<<1, 32>>>(out);
  int most = 0;
  for (int i = 0; i < 32; ++i) most = std::max(most, collatzSteps(i));
  check::same(out.read(), table(32, [&](size_t i) { return most * 1000 + collatzSteps(static_cast<int>(i)); }), "meet");
  return check::finish();
}
