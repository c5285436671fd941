// cudaHostRegister makes the program's own memory visible to kernels, and cudaHostUnregister ends that.
#include "check.hpp"

__global__ void negate(long long* data) { data[threadIdx.x] = -data[threadIdx.x]; }

int main() {
  constexpr size_t kCount = 512;
  void* memory = std::aligned_alloc(4096, kCount * sizeof(long long));
  auto* own = static_cast<long long*>(memory);
  for (size_t i = 0; i < kCount; ++i) own[i] = static_cast<long long>(i) << 33;
  CUDA(cudaHostRegister(own, kCount * sizeof(long long), cudaHostRegisterMapped));
  check::code(cudaHostRegister(own, kCount * sizeof(long long), cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered, "twice");
  long long* device = nullptr;
  CUDA(cudaHostGetDevicePointer(&device, own, 0));
  negate<<<1, kCount>>>(device);
  CUDA(cudaDeviceSynchronize());
  check::same(std::vector<long long>(own, own + kCount), table(kCount, [](size_t i) { return -(static_cast<long long>(i) << 33); }),
              "negated in place");
  CUDA(cudaHostUnregister(own));
  check::code(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered, "not registered any more");
  std::free(memory);
  cudaGetLastError();
  return check::finish();
}
