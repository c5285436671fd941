// What is written before a fence is seen by who sees the flag that was written after it, also where the variables are static and no other
// file can touch them: the last block's reduction, a gate, look-back, a barrier of the grid made by hand, a warp that produces.
// levels: 0 1 2 3
#include "check.hpp"

__device__ unsigned blocksDone = 0;

__device__ float sumOfTile(float* tile) {
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  return tile[0];
}

// The block that is done last adds what all have found.
__global__ void lastBlock(const float* in, int count, float* partial, float* out) {
  __shared__ float tile[128];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < count; i += gridDim.x * 128) sum += in[i];
  tile[threadIdx.x] = sum;
  __syncthreads();
  sum = sumOfTile(tile);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&blocksDone, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += 128) sum += static_cast<volatile float*>(partial)[i];
  tile[threadIdx.x] = sum;
  __syncthreads();
  sum = sumOfTile(tile);
  if (threadIdx.x == 0) {
    *out = sum;
    blocksDone = 0;
  }
}

static __device__ int arrived;
static __device__ volatile int gateOpen;
static __device__ int payload[8];

// All blocks wait until each has left its value.
__global__ void gate(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) {
    payload[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    if (atomicAdd(&arrived, 1) == static_cast<int>(gridDim.x) - 1) {
      __threadfence();
      gateOpen = 1;
    }
    while (!gateOpen) {
    }
    __threadfence();
    int all = 0;
    for (int i = 0; i < gridDim.x; ++i) all += payload[i];
    sum = all;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each block waits for the one before it.
__global__ void lookBack(int* flag, int* sum) {
  if (threadIdx.x != 0) return;
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (atomicAdd(&flag[block - 1], 0) == 0) {
    }
    __threadfence();
    before = static_cast<volatile int*>(sum)[block - 1];
  }
  sum[block] = before + block;
  __threadfence();
  atomicExch(&flag[block], 1);
}

__global__ void gridBarrier(int* count, int* between, int* out, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  between[i] = 3 * i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < static_cast<int>(gridDim.x)) {
    }
  }
  __syncthreads();
  out[i] = static_cast<volatile int*>(between)[(i + 200) % size];
}

// The first warp computes, the others spin on its flag.
__global__ void producer(int* out) {
  __shared__ volatile int ready;
  __shared__ int data[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    int sum = 0;
    for (int i = 0; i < 50 + lane; ++i) sum += i;
    data[lane] = sum;
    __threadfence_block();
    __syncwarp();
    if (lane == 0) ready = 1;
  } else {
    while (!ready) {
    }
    __threadfence_block();
    out[threadIdx.x - 32] = data[lane];
  }
}

// A lock that one thread of each block takes.
__global__ void lockOfBlocks(int* lock, int* value) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *static_cast<volatile int*>(value) = *static_cast<volatile int*>(value) + 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  Buffer<float> ones(std::vector<float>(10000, 1.0f)), partial(40), sum(1);
  for (int round = 0; round < 2; ++round) {
    lastBlock<<<40, 128>>>(ones, 10000, partial, sum);
    check::same(sum.read(), std::vector<float>{10000.0f}, "last block");
  }
  Buffer<int> out(512);
  gate<<<8, 64>>>(out);
  check::same(out.read(), std::vector<int>(512, 36), "gate");
  Buffer<int> flags(64), sums(64);
  lookBack<<<64, 32>>>(flags, sums);
  check::same(sums.read(), table(64, [](size_t i) { return static_cast<int>(i * (i + 1) / 2); }), "look-back");
  Buffer<int> count(1), between(512);
  gridBarrier<<<8, 64>>>(count, between, out, 512);
  check::same(out.read(), table(512, [](size_t i) { return static_cast<int>((i + 200) % 512 * 3); }), "barrier of the grid");
  Buffer<int> consumed(96);
  producer<<<1, 128>>>(consumed);
  check::same(consumed.read(), table(96, [](size_t i) { return static_cast<int>((50 + i % 32) * (49 + i % 32) / 2); }), "producer");
  Buffer<int> lock(1), value(1);
  lockOfBlocks<<<50, 64>>>(lock, value);
  check::same(value.read(), std::vector<int>{50}, "lock");
  return check::finish();
}
