// Some threads of a block return early, the others go on with barriers: nobody waits for a thread that has exited.
#include "check.hpp"

constexpr int kThreads = 128;

// The first `stay` threads exchange values twice.
__global__ void firstStay(int* out, int stay) {
  __shared__ int shared[kThreads];
  const int t = threadIdx.x;
  if (t >= stay) return;
  shared[t] = 3 * t;
  __syncthreads();
  const int next = shared[(t + 1) % stay];
  __syncthreads();
  shared[t] = next + t;
  __syncthreads();
  out[t] = shared[(t + stay / 2) % stay];
}

// Of each warp the lanes below `stay`; the others have something to do before they leave.
__global__ void lanesStay(int* out, int stay) {
  __shared__ int shared[kThreads];
  const int t = threadIdx.x, lane = t % 32;
  if (lane >= stay) {
    for (int i = 0; i < lane; ++i) out[t] += i;
    return;
  }
  shared[t] = t;
  __syncthreads();
  out[t] = shared[(t + 32) % kThreads];
}

// A function with barriers between two returns.
__device__ int sumOfBlock(int value, int* shared, int threads) {
  shared[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < threads; ++i) sum += shared[i];
  __syncthreads();
  return sum;
}

__global__ void blockSums(const int* in, int* out, int count, int width) {
  __shared__ int shared[kThreads];
  if (threadIdx.x >= width) return;
  const int i = blockIdx.x * width + threadIdx.x;
  int sum = sumOfBlock(i < count ? in[i] : 0, shared, width);
  sum += sumOfBlock(sum % 10, shared, width);
  if (i >= count) return;
  out[i] = sum;
}

__device__ __noinline__ void leaveIf(bool condition) {
  if (condition) asm volatile("exit;");
}

// Lanes end inside a function, in the midst of a loop.
__global__ void endInFunction(int* out) {
  __shared__ int shared[kThreads];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    leaveIf(t % 32 > 20 && i == 2);
    sum += i;
  }
  shared[t] = sum + t;
  __syncthreads();
  out[t] = shared[(t + 32) % kThreads];
}

int main() {
  int* out;
  CUDA(cudaMallocManaged(&out, 512 * sizeof(int)));
  int* in;
  CUDA(cudaMallocManaged(&in, 512 * sizeof(int)));
  for (int i = 0; i < 512; ++i) in[i] = i * i % 100;
  const auto results = [&](int count) { return std::vector<int>(out, out + count); };
  const auto clear = [&] { std::memset(out, 0, 512 * sizeof(int)); };

  for (const int stay : {1, 20, 70, 128}) {
    clear();
    firstStay<<<1, kThreads>>>(out, stay);
    CUDA(cudaDeviceSynchronize());
    std::vector<int> wanted(kThreads);
    for (int t = 0; t < stay; ++t) {
      const int from = (t + stay / 2) % stay;
      wanted[t] = 3 * ((from + 1) % stay) + from;
    }
    check::same(results(kThreads), wanted, "the first threads stay");
  }

  for (const int stay : {1, 20}) {
    clear();
    lanesStay<<<1, kThreads>>>(out, stay);
    CUDA(cudaDeviceSynchronize());
    std::vector<int> wanted(kThreads);
    for (int t = 0; t < kThreads; ++t) wanted[t] = t % 32 < stay ? (t + 32) % kThreads : t % 32 * (t % 32 - 1) / 2;
    check::same(results(kThreads), wanted, "lanes of each warp stay");
  }

  clear();
  const int count = 333, width = 100;
  blockSums<<<4, kThreads>>>(in, out, count, width);
  CUDA(cudaDeviceSynchronize());
  std::vector<int> sums(count);
  for (int first = 0; first < count; first += width) {
    int sum = 0;
    for (int i = first; i < first + width && i < count; ++i) sum += in[i];
    for (int i = first; i < first + width && i < count; ++i) sums[i] = sum + sum % 10 * width;
  }
  check::same(results(count), sums, "sums of blocks with a width of their own");

  clear();
  endInFunction<<<1, kThreads>>>(out);
  CUDA(cudaDeviceSynchronize());
  std::vector<int> ended(kThreads);
  for (int t = 0; t < kThreads; ++t) ended[t] = t % 32 > 20 ? 0 : 10 + (t + 32) % kThreads;
  check::same(results(kThreads), ended, "lanes that end in a function");
  return check::finish();
}
