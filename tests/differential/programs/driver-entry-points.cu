// The driver's functions by name: cudaGetDriverEntryPointByVersion and cuGetProcAddress; the program is not linked with the driver.
#include <cuda.h>

#include "check.hpp"

template <typename Function>
Function entry(const char* name, int version) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  CUDA(cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found));
  check::that(found == cudaDriverEntryPointSuccess && address != nullptr, name);
  return reinterpret_cast<Function>(address);
}

int main() {
  CUDA(cudaFree(nullptr));
  const auto getCount = entry<CUresult (*)(int*)>("cuDeviceGetCount", 12000);
  const auto allocate = entry<CUresult (*)(CUdeviceptr*, size_t)>("cuMemAlloc", 12000);
  const auto set = entry<CUresult (*)(CUdeviceptr, unsigned, size_t)>("cuMemsetD32", 12000);
  const auto find = entry<CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*)>("cuGetProcAddress", 12000);
  int count = 0;
  check::that(getCount(&count) == CUDA_SUCCESS && count == 1, "one device");
  CUdeviceptr memory = 0;
  check::that(allocate(&memory, 64) == CUDA_SUCCESS && set(memory, 0x1234, 16) == CUDA_SUCCESS, "memory");
  void* address = nullptr;
  CUdriverProcAddressQueryResult result;
  check::that(find("cuMemFree", &address, 12000, 0, &result) == CUDA_SUCCESS && address != nullptr, "cuGetProcAddress");
  std::vector<unsigned> back(16);
  CUDA(cudaMemcpy(back.data(), reinterpret_cast<void*>(memory), 64, cudaMemcpyDeviceToHost));
  check::same(back, std::vector<unsigned>(16, 0x1234), "values");
  check::that(reinterpret_cast<CUresult (*)(CUdeviceptr)>(address)(memory) == CUDA_SUCCESS, "freed");
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &address, 12000, cudaEnableDefault, &found);
  check::that(found == cudaDriverEntryPointSymbolNotFound, "no such function");
  cudaGetLastError();
  return check::finish();
}
