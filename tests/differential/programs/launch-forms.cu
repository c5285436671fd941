// One kernel by every way to launch it: <<<>>>, cudaLaunchKernel, cudaLaunchKernelExC and cudaLaunchKernelEx.
#include "check.hpp"

__global__ void write(int* out, int value, double scale) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(value * scale) + threadIdx.x;
}

int main() {
  Buffer<int> out(64);
  const auto wanted = [](int base) { return table(64, [=](size_t i) { return static_cast<int>(base + i % 32); }); };
  write<<<2, 32>>>(out, 10, 1.5);
  check::same(out.read(), wanted(15), "<<<>>>");

  int* pointer = out;
  int value = 20;
  double scale = 2.5;
  void* arguments[] = {&pointer, &value, &scale};
  CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(write), dim3(2), dim3(32), arguments, 0, nullptr));
  check::same(out.read(), wanted(50), "cudaLaunchKernel");

  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.stream = stream;
  value = 30;
  CUDA(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(write), arguments));
  CUDA(cudaStreamSynchronize(stream));
  check::same(out.read(), wanted(75), "cudaLaunchKernelExC");

  CUDA(cudaLaunchKernelEx(&config, write, pointer, 40, 0.25));
  CUDA(cudaStreamSynchronize(stream));
  check::same(out.read(), wanted(10), "cudaLaunchKernelEx");

  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = 0;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, write, pointer, 8, 4.0));
  CUDA(cudaStreamSynchronize(stream));
  check::same(out.read(), wanted(32), "with an attribute");
  CUDA(cudaStreamDestroy(stream));
  return check::finish();
}
