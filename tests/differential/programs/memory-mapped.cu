// Page-locked host memory that a kernel reads and writes where it lies.
#include "check.hpp"

__global__ void square(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; }

int main() {
  int *in = nullptr, *out = nullptr, *deviceIn = nullptr, *deviceOut = nullptr;
  CUDA(cudaHostAlloc(&in, 64 * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CUDA(cudaHostAlloc(&out, 64 * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  for (int i = 0; i < 64; ++i) in[i] = i - 32;
  CUDA(cudaHostGetDevicePointer(&deviceIn, in, 0));
  CUDA(cudaHostGetDevicePointer(&deviceOut, out, 0));
  square<<<1, 64>>>(deviceIn, deviceOut);
  CUDA(cudaDeviceSynchronize());
  check::same(std::vector<int>(out, out + 64), table(64, [](size_t i) { return (static_cast<int>(i) - 32) * (static_cast<int>(i) - 32); }),
              "squares");
  unsigned flags = 0;
  CUDA(cudaHostGetFlags(&flags, in));
  check::that((flags & cudaHostAllocMapped) != 0 && (flags & cudaHostAllocWriteCombined) != 0, "flags are remembered");
  CUDA(cudaFreeHost(in));
  CUDA(cudaFreeHost(out));

  int* plain = nullptr;
  CUDA(cudaMallocHost(&plain, 256));
  plain[0] = 5;
  Buffer<int> device(64);
  CUDA(cudaMemcpyAsync(device, plain, 4, cudaMemcpyHostToDevice));
  check::that(device.read()[0] == 5, "page-locked source");
  CUDA(cudaFreeHost(plain));
  return check::finish();
}
