// The forms of CUDA 11. Programs call them with the structures of that version's headers, which are not ours: hence void*.
#include "legacy_layouts.hpp"

using namespace warpwright::cudart::dropin;
namespace {

constexpr int kVersion = 11080;

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

cudaError_t cudaRuntimeGetVersion(int* version) { return __warpwrightGetVersion(version, kVersion); }

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags) {
  return __warpwrightGetDriverEntryPoint(symbol, function, kVersion, flags, nullptr);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long flags) {
  return __warpwrightGetDriverEntryPoint_ptsz(symbol, function, kVersion, flags, nullptr);
}

cudaError_t cudaDriverGetVersion(int* version) { return __warpwrightGetVersion(version, kVersion); }

cudaError_t cudaGetDeviceProperties(void* properties, int device) { return getDeviceProperties(properties, kDevicePropBytes11, device); }

cudaError_t cudaFuncGetAttributes(void* attributes, const void* function) {
  return getFuncAttributes(attributes, kFuncAttributesBytes11, function);
}

cudaError_t cudaPointerGetAttributes(void* attributes, const void* pointer) { return getPointerAttributes(attributes, pointer); }

#pragma GCC visibility pop
}  // extern "C"
