// mbarrier by inline PTX: phases of arrivals, a drop, and asynchronous copies that arrive on it.
// arch: 80
#include "check.hpp"

__device__ unsigned sharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__device__ unsigned long long arrive(unsigned barrier) {
  unsigned long long state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  return state;
}
__device__ bool reached(unsigned barrier, unsigned long long state) {
  int done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}" : "=r"(done) : "r"(barrier), "l"(state) : "memory");
  return done != 0;
}

__global__ void phases(int* out) {
  __shared__ unsigned long long storage;
  __shared__ int total;
  const unsigned barrier = sharedAddress(&storage);
  if (threadIdx.x == 0) {
    total = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(blockDim.x) : "memory");
  }
  __syncthreads();
  for (int phase = 1; phase <= 3; ++phase) {
    atomicAdd(&total, phase);
    const unsigned long long state = arrive(barrier);
    while (!reached(barrier, state)) {}
    out[(phase - 1) * blockDim.x + threadIdx.x] = *static_cast<volatile int*>(&total);
    __syncthreads();
  }
}

__global__ void copies(const int* in, int* out) {
  __shared__ unsigned long long storage;
  __shared__ __align__(16) int tile[4 * 64];
  const unsigned barrier = sharedAddress(&storage);
  const int i = threadIdx.x;
  if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(barrier) : "memory");
  __syncthreads();
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(tile + 4 * i)), "l"(in + 4 * i) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
  unsigned pending = 1;
  while (pending != 0) {
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 0, 1, p;}" : "=r"(pending) : "r"(barrier) : "memory");
  }
  for (int k = 0; k < 4; ++k) out[4 * i + k] = tile[255 - 4 * i - k];
}

int main() {
  Buffer<int> out(3 * 96);
  phases<<<1, 96>>>(out);
  check::same(out.read(), table(3 * 96, [](size_t i) { return i < 96 ? 96 : i < 192 ? 96 * 3 : 96 * 6; }), "phases");
  Buffer<int> in(table(256, [](size_t i) { return static_cast<int>(3 * i); })), reversed(256);
  copies<<<1, 64>>>(in, reversed);
  check::same(reversed.read(), table(256, [](size_t i) { return static_cast<int>(3 * (255 - i)); }), "copies");
  return check::finish();
}
