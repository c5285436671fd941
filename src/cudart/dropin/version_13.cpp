// The forms of CUDA 13. Programs call them with the structures of that version's headers, which are not ours: hence void*.
#include "versioned_api.hpp"

namespace {

constexpr int kVersion = 13000;

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

cudaError_t cudaRuntimeGetVersion(int* version) { return __warpwrightGetVersion(version, kVersion); }

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return __warpwrightGetDriverEntryPoint(symbol, function, kVersion, flags, status);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long flags,
                                         cudaDriverEntryPointQueryResult* status) {
  return __warpwrightGetDriverEntryPoint_ptsz(symbol, function, kVersion, flags, status);
}

cudaError_t cudaDriverGetVersion(int* version) { return __warpwrightGetVersion(version, kVersion); }

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags, cudaStream_t stream) {
  return __warpwrightMemPrefetchAsync(pointer, count, location, flags, stream);
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                      cudaStream_t stream) {
  return __warpwrightMemPrefetchAsync_ptsz(pointer, count, location, flags, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return __warpwrightMemAdvise(pointer, count, advice, location);
}

#pragma GCC visibility pop
}  // extern "C"
