// What orders accesses between blocks, warps and lanes without ending the kernel; no check may take any of it for a race.
#include "check.hpp"

// The last block to finish adds up what all have written.
__device__ unsigned int finished;
__device__ volatile int partial[64];
__global__ void lastBlock(int* out) {
  __shared__ bool isLast;
  __shared__ int sums[64];
  sums[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    isLast = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast || threadIdx.x != 0) return;
  int total = 0;
  for (int i = 0; i < gridDim.x; ++i) total += partial[i];
  *out = total;
}

// Every thread's write and fence, then one thread's atomic behind the barrier.
__device__ int rows[32 * 64];
__device__ unsigned int rowsDone;
__global__ void lastBlockOfRows(int* out) {
  __shared__ unsigned int ticket;
  rows[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) ticket = atomicAdd(&rowsDone, 1);
  __syncthreads();
  if (ticket != gridDim.x - 1) return;
  int sum = 0;
  for (int i = 0; i < gridDim.x; ++i) sum += rows[i * 64 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// Blocks take a lock by turns.
__device__ int lock, guarded;
__global__ void locked(int* out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    guarded = guarded + 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
  if (threadIdx.x == 0) atomicAdd(out, 1);
}

// Each block waits for the one before.
__device__ int chained[33];
__device__ int chainFlags[33];
__global__ void chain(int* out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) {
      while (atomicAdd(&chainFlags[blockIdx.x - 1], 0) == 0) {
      }
    }
    chained[blockIdx.x] = blockIdx.x == 0 ? 1 : chained[blockIdx.x - 1] + 1;
    __threadfence();
    atomicExch(&chainFlags[blockIdx.x], 1);
    out[blockIdx.x] = chained[blockIdx.x];
  }
}

// Lanes that read one another's words behind __syncwarp; the end of a reduction without barriers.
__global__ void lanes(int* out) {
  __shared__ int words[64];
  int* own = words + threadIdx.x / 32 * 32;
  const int lane = threadIdx.x % 32;
  own[lane] = threadIdx.x;
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    const int other = own[lane ^ half];
    __syncwarp();
    own[lane] += other;
    __syncwarp();
  }
  out[threadIdx.x] = own[lane];
}

// All threads that have something to say write the same.
__global__ void sameValue(int* flag, const int* values) {
  if (values[blockIdx.x * blockDim.x + threadIdx.x] > 5) *flag = 1;
}

int main() {
  Buffer<int> one(1), many(64), firsts(32), counted(1), sums(64);
  lastBlock<<<32, 64>>>(one);
  check::same(one.read(), std::vector<int>{2048 * 2047 / 2}, "the last block");
  lastBlockOfRows<<<32, 64>>>(many);
  check::same(many.read(), table(64, [](size_t i) { return static_cast<int>(32 * i); }), "the last block, all threads fenced");
  CUDA(cudaMemset(counted, 0, sizeof(int)));
  locked<<<32, 32>>>(counted);
  check::same(counted.read(), std::vector<int>{32}, "a lock");
  chain<<<32, 32>>>(firsts);
  check::same(firsts.read(), table(32, [](size_t i) { return static_cast<int>(i + 1); }), "a chain of blocks");
  lanes<<<1, 64>>>(sums);
  check::same(sums.read(), table(64, [](size_t i) { return i < 32 ? 31 * 32 / 2 : 31 * 32 / 2 + 32 * 32; }), "lanes");
  Buffer<int> flag(1), values(table(256, [](size_t i) { return static_cast<int>(i); }));
  CUDA(cudaMemset(flag, 0, sizeof(int)));
  sameValue<<<4, 64>>>(flag, values);
  check::same(flag.read(), std::vector<int>{1}, "a flag");
  return check::finish();
}
