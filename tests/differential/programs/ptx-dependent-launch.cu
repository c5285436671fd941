// griddepcontrol, and a launch that may start before the one in front of it has ended.
// arch: 90
#include "check.hpp"

__global__ void first(int* data) {
  data[threadIdx.x] = 3 * threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;");
}
__global__ void second(const int* data, int* out) {
  const int own = 1000 * threadIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[threadIdx.x] = own + data[31 - threadIdx.x];
}

int main() {
  Buffer<int> data(32), out(32);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  first<<<1, 32, 0, stream>>>(data);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelEx(&config, second, static_cast<const int*>(data.get()), out.get()));
  CUDA(cudaStreamSynchronize(stream));
  check::same(out.read(), table(32, [](size_t i) { return static_cast<int>(1000 * i + 3 * (31 - i)); }), "results");
  CUDA(cudaStreamDestroy(stream));
  return check::finish();
}
