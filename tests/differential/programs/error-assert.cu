// An assertion of a kernel that fails: the message on standard error, and the error code.
// stderr: error-assert\.cu:9: .*block: \[0,0,0\], thread: \[20,0,0\] Assertion .values\[threadIdx\.x\] < 5. failed
#undef NDEBUG
#include <cassert>

#include "check.hpp"

__global__ void small(const int* values) {
  assert(values[threadIdx.x] < 5);
}

int main() {
  Buffer<int> good(32), bad(table(32, [](size_t i) { return static_cast<int>(i == 20 ? 9 : 1); }));
  small<<<1, 32>>>(good);
  check::code(cudaDeviceSynchronize(), cudaSuccess, "holds");
  small<<<1, 32>>>(bad);
  check::code(cudaDeviceSynchronize(), cudaErrorAssert, "fails");
  check::code(cudaGetLastError(), cudaErrorAssert, "last error");
  return check::failures == 0 ? 0 : 1;
}
