// Relocatable device code: functions, variables, constants and a function pointer across files.
// options: -rdc=true
#include "../check.hpp"
#include "device.hpp"

__constant__ float scale = 2.5f;
__device__ int counter = 100;

__global__ void compute(float* out) {
  out[threadIdx.x] = twice(static_cast<float>(threadIdx.x)) + entries[threadIdx.x % 4] + operation(1.0f);
  atomicAdd(&counter, 1);
}
__global__ void nested(int* out) { out[threadIdx.x] = depth(static_cast<int>(threadIdx.x % 7)); }

// The other file calls this one back.
__device__ int depthBack(int level) { return level <= 0 ? 0 : 10 + depth(level - 1); }

int main() {
  Buffer<float> out(32);
  compute<<<1, 32>>>(out);
  const float known[] = {0.5f, 1.5f, 2.5f, 3.5f};
  check::same(out.read(), table(32, [&](size_t i) { return 2.0f * i + known[i % 4] + 7.0f; }), "across files");
  Buffer<int> levels(32);
  nested<<<1, 32>>>(levels);
  check::same(levels.read(), table(32, [](size_t i) { return static_cast<int>(i % 7 * 11 + 1); }), "calls back and forth");
  launchOther(out);
  check::same(out.read(), table(32, [](size_t i) { return 2.5f * i + 132; }), "the other file's kernel");
  int count = 0;
  CUDA(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  check::that(count == 132, "one counter for both");
  return check::finish();
}
