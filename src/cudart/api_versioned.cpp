#include "context.hpp"
#include "cuda_runtime_api.h"
#include "per_thread.hpp"
#include "versioned_api.hpp"

using namespace warpwright::cudart;

cudaError_t __warpwrightGetDeviceProperties(cudaDeviceProp* properties, int device) { return cudaGetDeviceProperties(properties, device); }

cudaError_t __warpwrightPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return cudaPointerGetAttributes(attributes, pointer);
}

cudaError_t __warpwrightFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return cudaFuncGetAttributes(attributes, function);
}

cudaError_t __warpwrightMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                         cudaStream_t stream) {
  return cudaMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}

cudaError_t __warpwrightMemPrefetchAsync_ptsz(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                              cudaStream_t stream) {
  return PerThread<&cudaMemPrefetchAsync_v2>::call(pointer, count, location, flags, stream);
}

cudaError_t __warpwrightMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return cudaMemAdvise_v2(pointer, count, advice, location);
}

cudaError_t __warpwrightGetVersion(int* result, int version) {
  if (!result) return record(cudaErrorInvalidValue);
  *result = version;
  return cudaSuccess;
}
