// Barriers of a block: plain, with a count and votes, and named ones for a part of its warps.
#include "check.hpp"

__global__ void votes(int* out) {
  const int i = threadIdx.x;
  out[i] = __syncthreads_count(i % 3 == 0) + 1000 * __syncthreads_and(i < 200) + 2000 * __syncthreads_or(i == 77);
}

// Two halves of the block exchange values on barriers of their own; the second half makes twice as many rounds.
__global__ void halves(int* out) {
  __shared__ int tile[256];
  const int half = threadIdx.x / 128, lane = threadIdx.x % 128;
  int value = threadIdx.x;
  for (int round = 0; round < 2 + 2 * half; ++round) {
    tile[threadIdx.x] = value;
    asm volatile("bar.sync %0, 128;" ::"r"(half + 1) : "memory");
    value = tile[128 * half + (lane + 1) % 128];
    asm volatile("bar.sync %0, 128;" ::"r"(half + 1) : "memory");
  }
  out[threadIdx.x] = value;
}

// The first warp produces, the second consumes: it alone waits.
__global__ void produce(int* out) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = 3 * threadIdx.x;
    asm volatile("bar.arrive 5, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 5, 64;" ::: "memory");
    out[threadIdx.x - 32] = tile[63 - threadIdx.x];
  }
}

int main() {
  Buffer<int> out(256);
  votes<<<1, 256>>>(out);
  check::same(out.read(), std::vector<int>(256, 86 + 0 + 2000), "votes");
  halves<<<1, 256>>>(out);
  check::same(out.read(), table(256, [](size_t i) { return static_cast<int>(i / 128 * 128 + (i % 128 + (i < 128 ? 2 : 4)) % 128); }), "halves");
  produce<<<1, 64>>>(out);
  auto first = out.read();
  first.resize(32);
  check::same(first, table(32, [](size_t i) { return static_cast<int>(3 * (31 - i)); }), "arrive and wait");
  return check::finish();
}
