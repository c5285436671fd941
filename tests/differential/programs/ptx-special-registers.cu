// Special registers: lanes, warps, masks, sizes, the grid and dynamic shared memory.
#include "check.hpp"

extern __shared__ int dynamic[];

template <int kWhich>
__device__ unsigned special() {
  unsigned value = 0;
  if (kWhich == 0) asm volatile("mov.u32 %0, %%laneid;" : "=r"(value));
  if (kWhich == 1) asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(value));
  if (kWhich == 2) asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(value));
  if (kWhich == 3) asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(value));
  if (kWhich == 4) asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(value));
  if (kWhich == 5) asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(value));
  if (kWhich == 6) asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(value));
  if (kWhich == 7) asm volatile("mov.u32 %0, %%ntid.y;" : "=r"(value));
  if (kWhich == 8) asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(value));
  return value;
}

__global__ void read(unsigned* out, unsigned* limits) {
  const int i = threadIdx.y * blockDim.x + threadIdx.x;
  dynamic[i] = i;
  unsigned* row = out + (blockIdx.x * 64 + i) * 9;
  row[0] = special<0>(), row[1] = special<1>(), row[2] = special<2>(), row[3] = special<3>(), row[4] = special<4>();
  row[5] = special<5>(), row[6] = special<6>(), row[7] = special<7>(), row[8] = special<8>();
  unsigned warp, warps, sm, sms;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
  if (warp < warps && sm < sms) atomicAdd(limits, 1u);
}

int main() {
  Buffer<unsigned> out(3 * 64 * 9), limits(1);
  read<<<3, dim3(8, 8), 512>>>(out, limits);
  check::same(out.read(), table(3 * 64 * 9, [](size_t index) {
    const unsigned lane = index / 9 % 32, bit = 1u << lane;
    const unsigned wanted[] = {lane, bit, bit - 1, bit | (bit - 1), ~(bit | (bit - 1)), ~(bit - 1), 512, 8, 3};
    return wanted[index % 9];
  }), "registers");
  check::same(limits.read(), {192}, "indices below their limits");
  return check::finish();
}
