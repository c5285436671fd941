// One context for both interfaces: memory, streams and kernels of the runtime in calls of the driver.
// options: -lcuda
#include <cuda.h>

#include "check.hpp"

__device__ int offset = 5;
__global__ void add(int* data) { data[threadIdx.x] += offset; }

int main() {
  Buffer<int> data(table(32, [](size_t i) { return static_cast<int>(i); }));
  CUcontext context = nullptr;
  check::that(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != nullptr, "the runtime's context is current");
  check::that(cuMemsetD32(reinterpret_cast<CUdeviceptr>(data.get()), 100, 16) == CUDA_SUCCESS, "the runtime's memory");
  CUdeviceptr base = 0;
  size_t size = 0;
  check::that(cuMemGetAddressRange(&base, &size, reinterpret_cast<CUdeviceptr>(data + 7)) == CUDA_SUCCESS &&
                  base == reinterpret_cast<CUdeviceptr>(data.get()) && size == 128, "its range");
  cudaFunction_t function = nullptr;
  CUDA(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)));
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  int* pointer = data;
  void* arguments[] = {&pointer};
  check::that(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr) == CUDA_SUCCESS, "the runtime's kernel");
  check::that(cuStreamSynchronize(stream) == CUDA_SUCCESS, "the runtime's stream");
  check::same(data.read(), table(32, [](size_t i) { return static_cast<int>(i < 16 ? 105 : i + 5); }), "values");
  void* symbol = nullptr;
  CUDA(cudaGetSymbolAddress(&symbol, offset));
  check::that(cuMemsetD32(reinterpret_cast<CUdeviceptr>(symbol), 50, 1) == CUDA_SUCCESS, "a variable");
  add<<<1, 32, 0, stream>>>(data);
  check::same(data.read(), table(32, [](size_t i) { return static_cast<int>(i < 16 ? 155 : i + 55); }), "values after that");
  CUDA(cudaStreamDestroy(stream));
  return check::finish();
}
