// Memory, and questions about pointers.
#include <initializer_list>

#include "call.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

// Allocate: cudaError_t(void**). The context that is current frees the memory at its end.
template <typename Allocate>
CUresult allocate(CUdeviceptr* pointer, size_t size, Allocate&& allocate) {
  return call(Needs::context, [&](Driver& driver) {
    if (!pointer || size == 0) return CUDA_ERROR_INVALID_VALUE;
    void* memory = nullptr;
    const cudaError_t status = allocate(&memory);
    if (status != cudaSuccess) return resultOf(status);
    *pointer = reinterpret_cast<CUdeviceptr>(memory);
    driver.current()->allocations.insert(*pointer);
    return CUDA_SUCCESS;
  });
}

// Free: cudaError_t(void*).
template <typename Free>
CUresult release(CUdeviceptr pointer, Free&& free) {
  return call(Needs::handle, [&](Driver& driver) {
    // The driver refuses a null pointer, the runtime does not.
    if (pointer == 0) return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t status = free(pointerOf(pointer));
    if (status == cudaSuccess) driver.forget(pointer);
    return resultOf(status);
  });
}

CUmemorytype typeOf(const cudaPointerAttributes& attributes) {
  return attributes.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

template <typename T>
CUresult give(void* to, T value) {
  *static_cast<T*>(to) = value;
  return CUDA_SUCCESS;
}

CUresult attributeOf(Driver& driver, void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  cudaPointerAttributes attributes;
  if (const cudaError_t status = cudaPointerGetAttributes(&attributes, pointerOf(pointer)); status != cudaSuccess) return resultOf(status);
  const auto allocation = driver.access.allocation(pointer);
  if (!allocation) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return give(value, driver.current()->device == static_cast<u32>(attributes.device)
                             ? driver.current()
                             : driver.primary(static_cast<u32>(attributes.device)));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(value, typeOf(attributes));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return give(value, pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!attributes.hostPointer) return CUDA_ERROR_INVALID_VALUE;
      return give(value, attributes.hostPointer);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return give(value, 0u);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      // Unique as long as the allocation lives.
      return give(value, static_cast<unsigned long long>(allocation->address));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return give(value, attributes.type == cudaMemoryTypeManaged ? 1u : 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return give(value, attributes.device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(value, static_cast<CUdeviceptr>(allocation->address));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return give(value, static_cast<size_t>(allocation->size));
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return give(value, 1u);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

}  // namespace

CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return forward(Needs::context, [&] { return cudaMemGetInfo(free, total); });
}

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t size) {
  return allocate(pointer, size, [&](void** memory) { return cudaMalloc(memory, size); });
}

CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height, unsigned int elementBytes) {
  if (elementBytes != 4 && elementBytes != 8 && elementBytes != 16) return CUDA_ERROR_INVALID_VALUE;
  return allocate(pointer, width * height, [&](void** memory) { return cudaMallocPitch(memory, pitch, width, height); });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t size, unsigned int flags) {
  return allocate(pointer, size, [&](void** memory) { return cudaMallocManaged(memory, size, flags); });
}

CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t size, CUstream stream) {
  return allocate(pointer, size, [&](void** memory) { return cudaMallocAsync(memory, size, stream); });
}

CUresult cuMemFree(CUdeviceptr pointer) { return release(pointer, cudaFree); }

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return release(pointer, [&](void* memory) { return cudaFreeAsync(memory, stream); });
}

CUresult cuMemAllocHost(void** pointer, size_t size) { return cuMemHostAlloc(pointer, size, 0); }

CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return forward(Needs::context, [&] { return size == 0 ? cudaErrorInvalidValue : cudaHostAlloc(pointer, size, flags); });
}

CUresult cuMemFreeHost(void* pointer) {
  return forward(Needs::handle, [&] { return pointer ? cudaFreeHost(pointer) : cudaErrorInvalidValue; });
}

CUresult cuMemHostRegister(void* pointer, size_t size, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaHostRegister(pointer, size, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return forward(Needs::handle, [&] { return cudaHostUnregister(pointer); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags); });
}

CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer) {
  return forward(Needs::context, [&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr pointer) {
  return call(Needs::context, [&](Driver& driver) {
    const auto allocation = driver.access.allocation(pointer);
    if (!allocation) return CUDA_ERROR_NOT_FOUND;
    if (base) *base = allocation->address;
    if (size) *size = allocation->size;
    return CUDA_SUCCESS;
  });
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return call(Needs::context,
              [&](Driver& driver) { return value ? attributeOf(driver, value, attribute, pointer) : CUDA_ERROR_INVALID_VALUE; });
}

// For a pointer that is unknown, every value is 0 and the call succeeds.
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** values, CUdeviceptr pointer) {
  return call(Needs::context, [&](Driver& driver) {
    if (count == 0 || !attributes || !values) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < count; ++i) {
      if (!values[i]) return CUDA_ERROR_INVALID_VALUE;
      const CUresult status = attributeOf(driver, values[i], attributes[i], pointer);
      if (status == CUDA_ERROR_NOT_SUPPORTED) return status;
      if (status == CUDA_SUCCESS) continue;
      const bool isPointer = attributes[i] <= CU_POINTER_ATTRIBUTE_HOST_POINTER && attributes[i] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
      isPointer ? give(values[i], CUdeviceptr{0}) : give(values[i], 0u);
    }
    return CUDA_SUCCESS;
  });
}
