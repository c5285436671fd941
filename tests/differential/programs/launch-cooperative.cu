// A cooperative launch: every block waits for all others, several times.
#include <cooperative_groups.h>

#include "check.hpp"

namespace cg = cooperative_groups;

// Doubling sums over the whole grid: after round r, out[i] is the sum of the 2^(r+1) values that end at i.
__global__ void prefix(int* a, int* b, int count) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int step = 1; step < count; step *= 2) {
    if (i < count) b[i] = a[i] + (i >= step ? a[i - step] : 0);
    grid.sync();
    int* const swap = a;
    a = b;
    b = swap;
  }
}

int main() {
  constexpr int kCount = 1024;
  int supported = 0;
  CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  check::that(supported == 1, "supported");
  Buffer<int> a(table(kCount, [](size_t i) { return static_cast<int>(i % 17); })), b(kCount);
  int *first = a, *second = b, count = kCount;
  void* arguments[] = {&first, &second, &count};
  CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(prefix), dim3(8), dim3(128), arguments, 0, nullptr));
  std::vector<int> wanted(kCount);
  for (int i = 0, sum = 0; i < kCount; ++i) wanted[i] = sum += i % 17;
  check::same(a.read(), wanted, "prefix sums");
  check::code(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(prefix), dim3(1 << 20), dim3(1024), arguments, 0, nullptr),
              cudaErrorCooperativeLaunchTooLarge, "a grid that does not fit at once");
  cudaGetLastError();
  return check::finish();
}
