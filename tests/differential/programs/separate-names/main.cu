// Relocatable device code: names that each file keeps for itself, names that both have, managed and constant variables across files.
// options: -rdc=true
#include "../check.hpp"
#include "names.hpp"

__constant__ int table_of_both[4] = {1, 2, 3, 4};
static __device__ int hidden = 10;
static __device__ int helper(int x) { return x + hidden; }

static __global__ void kernel(int* out) {
  out[threadIdx.x] = helper(table_of_both[threadIdx.x % 4]);
  if (threadIdx.x == 0) shared_total += 1;
}

namespace {
__device__ int nameless = 1000;
__global__ void namelessKernel(int* out) { out[threadIdx.x] = nameless; }
}  // namespace

int main() {
  check::that(shared_total == 7, "the other file's managed variable starts with its value");
  Buffer<int> out(32);
  kernel<<<1, 32>>>(out);
  check::same(out.read(), table(32, [](size_t i) { return static_cast<int>(i % 4 + 11); }), "own static kernel");
  launchOther(out);
  check::same(out.read(), table(32, [](size_t i) { return static_cast<int>((i % 4 + 1) * 20); }), "the other's");
  CUDA(cudaDeviceSynchronize());
  check::that(shared_total == 108, "both kernels changed the managed variable");
  namelessKernel<<<1, 32>>>(out);
  check::same(out.read(), std::vector<int>(32, 1000), "own kernel of an unnamed namespace");
  const int changed = 30;
  CUDA(cudaMemcpyToSymbol(hidden, &changed, sizeof changed));
  check::that(hiddenOfOther() == 20, "the other's static variable is another one");
  setHiddenOfOther(2);
  kernel<<<1, 32>>>(out);
  check::same(out.read(), table(32, [](size_t i) { return static_cast<int>(i % 4 + 31); }), "own static variable changed");
  launchOther(out);
  check::same(out.read(), table(32, [](size_t i) { return static_cast<int>((i % 4 + 1) * 2); }), "the other's changed");
  fillWith<<<1, 32>>>(out.get(), 5);
  check::same(out.read(), table(32, [](size_t i) { return static_cast<int>(i + 5); }), "template kernel");
  return check::finish();
}
