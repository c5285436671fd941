// The forms of CUDA 13. Programs call them with the structures of that version's headers, which are not ours: hence void*.
#include "versioned_api.hpp"

namespace {

constexpr int kVersion = 13000;

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

// What serves the forms below.
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, size_t count);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           const cudaGraphEdgeData* edges, size_t count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents, cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters);
#define WW_CAPTURE_FORMS(suffix)                                                                                                          \
  cudaError_t cudaStreamGetCaptureInfo_v3##suffix(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,           \
                                                  cudaGraph_t* graph, const cudaGraphNode_t** dependencies,                               \
                                                  const cudaGraphEdgeData** edges, size_t* count);                                        \
  cudaError_t cudaStreamUpdateCaptureDependencies_v2##suffix(cudaStream_t stream, cudaGraphNode_t* dependencies,                          \
                                                             const cudaGraphEdgeData* edges, size_t count, unsigned int flags);           \
  cudaError_t cudaStreamGetCaptureInfo##suffix(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,              \
                                               cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges, \
                                               size_t* count) {                                                                           \
    return cudaStreamGetCaptureInfo_v3##suffix(stream, status, id, graph, dependencies, edges, count);                                    \
  }                                                                                                                                       \
  cudaError_t cudaStreamUpdateCaptureDependencies##suffix(cudaStream_t stream, cudaGraphNode_t* dependencies,                             \
                                                          const cudaGraphEdgeData* edges, size_t count, unsigned int flags) {             \
    return cudaStreamUpdateCaptureDependencies_v2##suffix(stream, dependencies, edges, count, flags);                                     \
  }

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

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(instance, graph, flags);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* information) {
  return __warpwrightGraphExecUpdate(instance, graph, information);
}

WW_CAPTURE_FORMS()
WW_CAPTURE_FORMS(_ptsz)

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* edges, size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, dependencies, edges, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, count);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                             size_t count, cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}

#pragma GCC visibility pop
}  // extern "C"
