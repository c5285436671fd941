// The forms of CUDA 12. Programs call them with the structures of that version's headers, which are not ours: hence void*.
#include "legacy_layouts.hpp"

using namespace warpwright::cudart::dropin;
namespace {

constexpr int kVersion = 12090;

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

// What serves the forms below.
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags);

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

cudaError_t cudaGetDeviceProperties(void* properties, int device) { return getDeviceProperties(properties, kDevicePropBytes11, device); }

cudaError_t cudaGetDeviceProperties_v2(void* properties, int device) { return getDeviceProperties(properties, kDevicePropBytes12, device); }

cudaError_t cudaPointerGetAttributes(void* attributes, const void* pointer) { return getPointerAttributes(attributes, pointer); }

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(instance, graph, flags);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* information) {
  return __warpwrightGraphExecUpdate(instance, graph, information);
}

#pragma GCC visibility pop
}  // extern "C"
