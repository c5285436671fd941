// elect.sync: one lane of those that take part, and all agree which.
// arch: 90
#include "check.hpp"

__device__ unsigned elect(unsigned mask, bool& elected) {
  unsigned lane, chosen;
  asm volatile("{.reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p;}" : "=r"(lane), "=r"(chosen) : "r"(mask));
  elected = chosen != 0;
  return lane;
}

__global__ void run(int* count, int* agrees) {
  bool elected;
  const unsigned leader = elect(~0u, elected);
  if (elected) atomicAdd(count, 1);
  if (elected == (leader == threadIdx.x % 32)) atomicAdd(agrees, 1);
  if (threadIdx.x % 32 >= 16) {
    const unsigned other = elect(0xffff0000u, elected);
    if (elected) atomicAdd(count + 1, 1);
    if (other >= 16 && elected == (other == threadIdx.x % 32)) atomicAdd(agrees + 1, 1);
  }
}

int main() {
  Buffer<int> count(2), agrees(2);
  run<<<2, 96>>>(count, agrees);
  check::same(count.read(), {6, 6}, "one of each warp");
  check::same(agrees.read(), {192, 96}, "all lanes know which");
  return check::finish();
}
