// Which window an address lies in, and conversions between generic addresses and those of a window.
#include "check.hpp"

__constant__ int fixed[4] = {1, 2, 3, 4};

__device__ unsigned windows(const void* address) {
  unsigned global, shared, local, constant;
  asm("{.reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(global) : "l"(address));
  asm("{.reg .pred p; isspacep.shared p, %1; selp.u32 %0, 2, 0, p;}" : "=r"(shared) : "l"(address));
  asm("{.reg .pred p; isspacep.local p, %1; selp.u32 %0, 4, 0, p;}" : "=r"(local) : "l"(address));
  asm("{.reg .pred p; isspacep.const p, %1; selp.u32 %0, 8, 0, p;}" : "=r"(constant) : "l"(address));
  return global | shared | local | constant;
}

__device__ __noinline__ int sum(const int* values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += values[i];
  return total;
}

__global__ void look(unsigned* out, const int* global) {
  __shared__ int shared[4];
  int local[4];
  for (int i = 0; i < 4; ++i) local[i] = 10 * i + static_cast<int>(out[7]);
  if (threadIdx.x < 4) shared[threadIdx.x] = 100 * threadIdx.x;
  __syncthreads();
  out[0] = windows(global);
  out[1] = windows(shared);
  out[2] = windows(local);
  out[3] = windows(fixed);
  // One function reads through generic addresses of all four.
  out[4] = sum(global, 4) + sum(shared, 4) + sum(local, 4) + sum(fixed, 4);
  const unsigned inside = static_cast<unsigned>(__cvta_generic_to_shared(shared + 2));
  int value;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(inside));
  out[5] = value;
  out[6] = __cvta_shared_to_generic(inside) == shared + 2;
}

int main() {
  Buffer<unsigned> out(8);
  Buffer<int> global(std::vector<int>{1000, 2000, 3000, 4000});
  look<<<1, 4>>>(out, global);
  check::same(out.read(), {1, 2, 4, 8, 10000 + 600 + 60 + 10, 200, 1, 0}, "windows");
  return check::finish();
}
