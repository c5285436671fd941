// Uses the runtime API as CUDA programs do, and checks what it gets. Exit status: number of failed checks.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

// clang folds constants of an anonymous namespace into the code, so that the host could not set them.
__constant__ float factors[2] = {1.0f, 1.0f};
__device__ int seen;
__device__ float fraction = 0.25f;
__managed__ int total = 40;

namespace {

int failures = 0;

#define CHECK(condition)                                          \
  do {                                                            \
    if (!(condition)) {                                           \
      std::printf("line %d: failed: %s\n", __LINE__, #condition); \
      ++failures;                                                 \
    }                                                             \
  } while (0)

__global__ void scale(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = factors[0] * in[i] + factors[1] + fraction;
  atomicAdd(&seen, 1);
}

template <typename T>
__global__ void reverse(T* data) {
  extern __shared__ unsigned char bytes[];
  T* const tile = reinterpret_cast<T*>(bytes);
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void addToTotal(int amount) { atomicAdd(&total, amount); }

__global__ void countThenSpread(int* counters) {
  const auto grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0) atomicAdd(counters, 1);
  grid.sync();
  if (threadIdx.x == 0) counters[1 + blockIdx.x] = counters[0];
}

__global__ void outOfBounds(int* data) { data[threadIdx.x + 100000] = 1; }

__global__ void greet() { std::printf("hello from block %d\n", blockIdx.x); }

void checkSymbolsAndLaunches() {
  constexpr int kCount = 1000;
  std::vector<float> values(kCount), results(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = static_cast<float>(i);
  const float given[2] = {2.0f, 3.0f};
  float *in = nullptr, *out = nullptr;
  CHECK(cudaMemcpyToSymbol(factors, given, sizeof given) == cudaSuccess);
  CHECK(cudaMalloc(&in, kCount * sizeof(float)) == cudaSuccess);
  CHECK(cudaMalloc(&out, kCount * sizeof(float)) == cudaSuccess);
  cudaMemcpy(in, values.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  scale<<<(kCount + 127) / 128, 128>>>(in, out, kCount);
  cudaEventRecord(stop);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMemcpy(results.data(), out, kCount * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += results[i] != 2.0f * static_cast<float>(i) + 3.25f;
  CHECK(wrong == 0);
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, seen, sizeof count) == cudaSuccess);
  CHECK(count == kCount);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess && milliseconds > 0);
  cudaFree(in);
  cudaFree(out);
}

void checkDynamicSharedMemory() {
  double* data = nullptr;
  CHECK(cudaMallocManaged(&data, 64 * sizeof(double)) == cudaSuccess);
  for (int i = 0; i < 64; ++i) data[i] = i;
  reverse<<<1, 64, 64 * sizeof(double)>>>(data);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(data[0] == 63 && data[63] == 0);
  reverse<<<1, 64, 1 << 20>>>(data);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  reverse<<<1, 4096>>>(data);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
  cudaFree(data);
}

void checkManagedVariable() {
  CHECK(total == 40);
  total += 2;
  addToTotal<<<1, 4>>>(5);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(total == 62);
}

void checkCooperativeLaunch() {
  int* counters = nullptr;
  cudaMalloc(&counters, 9 * sizeof(int));
  cudaMemset(counters, 0, 9 * sizeof(int));
  void* arguments[] = {&counters};
  CHECK(cudaLaunchCooperativeKernel(countThenSpread, 8, 64, arguments) == cudaSuccess);
  int values[9] = {};
  CHECK(cudaMemcpy(values, counters, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (const int value : values) CHECK(value == 8);
  CHECK(cudaLaunchCooperativeKernel(countThenSpread, 1 << 20, 64, arguments) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  cudaFree(counters);
}

void checkStickyError() {
  int* data = nullptr;
  cudaMalloc(&data, 16);
  outOfBounds<<<1, 1>>>(data);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaMalloc(&data, 16) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
  greet<<<2, 1>>>();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

}  // namespace

int main() {
  checkManagedVariable();
  checkSymbolsAndLaunches();
  checkDynamicSharedMemory();
  checkCooperativeLaunch();
  checkStickyError();
  std::printf("%d failures\n", failures);
  return failures;
}
