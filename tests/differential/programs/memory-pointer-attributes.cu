// cudaPointerGetAttributes tells what kind of memory an address belongs to.
#include "check.hpp"

cudaPointerAttributes attributesOf(const void* address) {
  cudaPointerAttributes attributes{};
  CUDA(cudaPointerGetAttributes(&attributes, address));
  return attributes;
}

__device__ int variable;

int main() {
  Buffer<int> device(64);
  int *host = nullptr, *managed = nullptr, plain = 0;
  CUDA(cudaMallocHost(&host, 256));
  CUDA(cudaMallocManaged(&managed, 256));
  void* symbol = nullptr;
  CUDA(cudaGetSymbolAddress(&symbol, variable));

  check::that(attributesOf(device).type == cudaMemoryTypeDevice && attributesOf(device).devicePointer == device.get(), "device");
  check::that(attributesOf(device + 63).type == cudaMemoryTypeDevice && attributesOf(device + 63).device == 0, "inside an allocation");
  check::that(attributesOf(host).type == cudaMemoryTypeHost && attributesOf(host).hostPointer == host, "page-locked");
  check::that(attributesOf(managed).type == cudaMemoryTypeManaged, "managed");
  check::that(attributesOf(&plain).type == cudaMemoryTypeUnregistered, "the host's stack");
  check::that(attributesOf(symbol).type == cudaMemoryTypeDevice, "a variable of the device");
  CUDA(cudaFreeHost(host));
  CUDA(cudaFree(managed));
  return check::finish();
}
