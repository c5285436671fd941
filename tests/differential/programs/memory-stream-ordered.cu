// cudaMallocAsync and cudaFreeAsync, and the pool behind them.
#include "check.hpp"

__global__ void iota(int* data, int start) { data[blockIdx.x * blockDim.x + threadIdx.x] = start + blockIdx.x * blockDim.x + threadIdx.x; }

int main() {
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  std::vector<int> back(1024);
  for (int round = 0; round < 3; ++round) {
    int* data = nullptr;
    CUDA(cudaMallocAsync(&data, 1024 * sizeof(int), stream));
    iota<<<4, 256, 0, stream>>>(data, 1000 * round);
    CUDA(cudaMemcpyAsync(back.data(), data, 1024 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA(cudaFreeAsync(data, stream));
    CUDA(cudaStreamSynchronize(stream));
    check::same(back, table(1024, [&](size_t i) { return static_cast<int>(i) + 1000 * round; }), "values");
  }
  cudaMemPool_t pool;
  CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = 1 << 20, got = 0;
  CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
  check::that(got == threshold, "release threshold is remembered");
  void* fromPool = nullptr;
  CUDA(cudaMallocFromPoolAsync(&fromPool, 4096, pool, stream));
  CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &got));
  check::that(got >= 4096, "the pool counts what is in use");
  CUDA(cudaFreeAsync(fromPool, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaStreamDestroy(stream));
  return check::finish();
}
