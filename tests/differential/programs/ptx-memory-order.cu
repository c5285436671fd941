// Loads that acquire and stores that release: one block hands data to another.
#include "check.hpp"

__device__ int flag;

__device__ int acquire(const int* address) {
  int value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}
__device__ void release(int* address, int value) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

// The blocks pass the data round: each waits for its turn, adds to it, and lets the next one go on.
__global__ void pass(int* data) {
  if (threadIdx.x == 0) {
    while (acquire(&flag) != static_cast<int>(blockIdx.x)) __nanosleep(20);
  }
  __syncthreads();
  data[threadIdx.x] = data[threadIdx.x] * 3 + static_cast<int>(blockIdx.x);
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) release(&flag, static_cast<int>(blockIdx.x) + 1);
}

__global__ void atomics(unsigned* cells) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 2;" : "=r"(before) : "l"(cells) : "memory");
  asm volatile("red.release.sys.global.max.u32 [%0], %1;" ::"l"(cells + 1), "r"(threadIdx.x) : "memory");
  asm volatile("fence.sc.sys;" ::: "memory");
  asm volatile("membar.cta;" ::: "memory");
  if (before % 2 == 1) cells[2] = 1;
}

int main() {
  Buffer<int> data(table(64, [](size_t i) { return static_cast<int>(i); }));
  pass<<<8, 64>>>(data);
  check::same(data.read(), table(64, [](size_t i) {
    int value = static_cast<int>(i);
    for (int block = 0; block < 8; ++block) value = value * 3 + block;
    return value;
  }), "handed round");
  Buffer<unsigned> cells(3);
  atomics<<<2, 96>>>(cells);
  check::same(cells.read(), {384, 95, 0}, "atomics");
  return check::finish();
}
