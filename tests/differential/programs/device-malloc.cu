// Memory that kernels allocate: malloc and free, new and delete, kept from one kernel to the next.
#include "check.hpp"

struct Pair {
  int key;
  float* values;
  __device__ explicit Pair(int k) : key(k), values(new float[4]) {
    for (int i = 0; i < 4; ++i) values[i] = k + 0.25f * i;
  }
  __device__ ~Pair() { delete[] values; }
};

__device__ Pair* pairs[64];

__global__ void make() { pairs[threadIdx.x] = new Pair(threadIdx.x); }
__global__ void use(float* out) {
  const Pair* pair = pairs[threadIdx.x];
  float sum = pair->key;
  for (int i = 0; i < 4; ++i) sum += pair->values[i];
  out[threadIdx.x] = sum;
}
__global__ void destroy() { delete pairs[threadIdx.x]; }

__global__ void scratch(int* out) {
  const int count = threadIdx.x + 1;
  int* own = static_cast<int*>(malloc(count * sizeof(int)));
  if (own == nullptr) return;
  for (int i = 0; i < count; ++i) own[i] = i;
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += own[i];
  out[threadIdx.x] = sum;
  free(own);
  free(nullptr);
}

int main() {
  CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  Buffer<float> sums(64);
  make<<<1, 64>>>();
  use<<<1, 64>>>(sums);
  destroy<<<1, 64>>>();
  check::same(sums.read(), table(64, [](size_t i) { return 5.0f * i + 1.5f; }), "objects");
  Buffer<int> out(100);
  scratch<<<1, 100>>>(out);
  check::same(out.read(), table(100, [](size_t i) { return static_cast<int>(i * (i + 1) / 2); }), "scratch");
  return check::finish();
}
