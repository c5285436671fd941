// What the drop-in libraries of src/cudart/dropin call: functions that they themselves define in another version's form, under names of
// their own, so that the two are not confused.
#pragma once

#include "cuda_graph_types.h"
#include "driver_types.h"

extern "C" {
#pragma GCC visibility push(default)

cudaError_t __warpwrightGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t __warpwrightPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t __warpwrightFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
// The forms with a location.
cudaError_t __warpwrightMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                         cudaStream_t stream);
cudaError_t __warpwrightMemPrefetchAsync_ptsz(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                              cudaStream_t stream);
cudaError_t __warpwrightMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location);
cudaError_t __warpwrightGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* information);
// As of that version.
cudaError_t __warpwrightGetDriverEntryPoint(const char* symbol, void** function, int version, unsigned long long flags,
                                            cudaDriverEntryPointQueryResult* status);
cudaError_t __warpwrightGetDriverEntryPoint_ptsz(const char* symbol, void** function, int version, unsigned long long flags,
                                                 cudaDriverEntryPointQueryResult* status);
// Stores the version; an error for a null pointer.
cudaError_t __warpwrightGetVersion(int* result, int version);

#pragma GCC visibility pop
}  // extern "C"
