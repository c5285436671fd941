#include "../check.hpp"
#include "names.hpp"

__managed__ int shared_total = 7;
static __device__ int hidden = 20;
static __device__ int helper(int x) { return x * hidden; }

static __global__ void kernel(int* out) {
  out[threadIdx.x] = helper(table_of_both[threadIdx.x % 4]);
  if (threadIdx.x == 0) shared_total += 100;
}

namespace {
__device__ int nameless = 2000;
__global__ void namelessKernel(int* out) { out[threadIdx.x] = nameless; }
}  // namespace

void launchOther(int* out) {
  namelessKernel<<<1, 32>>>(out);
  fillWith<<<1, 32>>>(out, 9);
  kernel<<<1, 32>>>(out);
}

int hiddenOfOther() {
  int value = 0;
  CUDA(cudaMemcpyFromSymbol(&value, hidden, sizeof value));
  return value;
}
void setHiddenOfOther(int value) { CUDA(cudaMemcpyToSymbol(hidden, &value, sizeof value)); }
