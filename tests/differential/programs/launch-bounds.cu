// What __launch_bounds__ and static arrays tell the runtime about a kernel.
#include "check.hpp"

__global__ void __launch_bounds__(128, 2) bounded(int* out) {
  __shared__ int tile[300];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}
__global__ void unbounded() {}

int main() {
  cudaFuncAttributes attributes{};
  CUDA(cudaFuncGetAttributes(&attributes, bounded));
  std::printf("shared %zu bytes, at most %d threads\n", attributes.sharedSizeBytes, attributes.maxThreadsPerBlock);
  check::that(attributes.sharedSizeBytes == 1200 && attributes.maxThreadsPerBlock == 128, "as declared");
  check::that(attributes.numRegs > 0 && attributes.numRegs <= 255 && attributes.binaryVersion > 0, "registers and version");
  CUDA(cudaFuncGetAttributes(&attributes, unbounded));
  check::that(attributes.sharedSizeBytes == 0 && attributes.maxThreadsPerBlock == 1024, "without bounds");

  Buffer<int> out(256);
  bounded<<<1, 128>>>(out);
  check::same(out.read(), table(256, [](size_t i) { return i < 128 ? static_cast<int>((i + 1) % 128) : 0; }), "rotated");
  bounded<<<1, 256>>>(out);
  check::that(cudaGetLastError() != cudaSuccess, "a block above the bounds is refused");
  return check::finish();
}
