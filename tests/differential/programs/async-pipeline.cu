// The functions of cuda_pipeline.h: a double buffer, filled while the other half is used.
// arch: 80
#include <cuda_pipeline.h>

#include "check.hpp"

constexpr int kThreads = 64, kStages = 6;

__global__ void stream(const int4* in, int* out) {
  __shared__ int4 tile[2][kThreads];
  const int i = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][i], in + i, sizeof(int4));
  __pipeline_commit();
  int sum = 0;
  for (int stage = 0; stage < kStages; ++stage) {
    if (stage + 1 < kStages) __pipeline_memcpy_async(&tile[(stage + 1) % 2][i], in + (stage + 1) * kThreads + i, sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const int4 value = tile[stage % 2][kThreads - 1 - i];
    sum = sum * 3 + value.x + value.y * 2 + value.z * 4 + value.w * 8;
    __syncthreads();
  }
  out[i] = sum;
}

int main() {
  const auto values = table(4 * kThreads * kStages, [](size_t i) { return static_cast<int>(i * 7919 % 1000); });
  Buffer<int> in(values), out(kThreads);
  stream<<<1, kThreads>>>(reinterpret_cast<const int4*>(in.get()), out);
  check::same(out.read(), table(kThreads, [&](size_t i) {
    int sum = 0;
    for (int stage = 0; stage < kStages; ++stage) {
      const int* value = &values[4 * (stage * kThreads + kThreads - 1 - i)];
      sum = sum * 3 + value[0] + value[1] * 2 + value[2] * 4 + value[3] * 8;
    }
    return sum;
  }), "sums");
  return check::finish();
}
