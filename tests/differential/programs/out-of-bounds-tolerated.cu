// A stencil that reads before and behind its array, as programs do that no GPU stops.
// run: --on-fault warn
// stderr: 4 bytes before allocation
#include "check.hpp"

__global__ void stencil(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = in[i - 1], right = in[i + 1];
  out[i] = in[i] + (i > 0 ? left : 0) + (i + 1 < n ? right : 0);
}

__global__ void beyondShared(int* out) {
  __shared__ int words[32];
  words[threadIdx.x] = 7;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x + 16];
}

int main() {
  Buffer<int> in(table(1000, [](size_t i) { return static_cast<int>(i); })), out(1000), few(32);
  stencil<<<8, 128>>>(in, out, 1000);
  check::same(out.read(), table(1000, [](size_t i) { return static_cast<int>(i == 0 ? 1 : i == 999 ? 999 + 998 : 3 * i); }), "a stencil");
  beyondShared<<<1, 32>>>(few);
  check::same(few.read(), table(32, [](size_t i) { return i < 16 ? 7 : 0; }), "beyond shared memory");
  return check::finish();
}
