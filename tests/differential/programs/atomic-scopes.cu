// Atomics in the scopes of a block and of the system, fences between blocks, and the last block to finish.
#include "check.hpp"

__device__ unsigned finished;

__global__ void sum(const int* values, volatile int* partial, int* total) {
  __shared__ int own;
  __shared__ bool last;
  if (threadIdx.x == 0) own = 0;
  __syncthreads();
  atomicAdd_block(&own, values[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = own;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int all = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) all += partial[block];
  *total = all;
}

__global__ void notify(int* mapped) {
  atomicAdd_system(mapped, 2);
  atomicMax_system(mapped + 1, static_cast<int>(threadIdx.x));
  atomicOr_block(mapped + 2, 1 << threadIdx.x % 8);
  __threadfence_system();
}

int main() {
  Buffer<int> values(table(2048, [](size_t i) { return static_cast<int>(i % 91) - 30; })), partial(8), total(1);
  int wanted = 0;
  for (int i = 0; i < 2048; ++i) wanted += i % 91 - 30;
  for (int round = 0; round < 2; ++round) {
    sum<<<8, 256>>>(values, partial, total);
    check::same(total.read(), {wanted}, "the last block adds up");
  }
  int* mapped = nullptr;
  CUDA(cudaHostAlloc(&mapped, 12, cudaHostAllocMapped));
  mapped[0] = mapped[1] = mapped[2] = 0;
  notify<<<1, 100>>>(mapped);
  CUDA(cudaDeviceSynchronize());
  check::same(std::vector<int>(mapped, mapped + 3), {200, 99, 255}, "memory of the host");
  CUDA(cudaFreeHost(mapped));
  return check::finish();
}
