// Functions of graphs in the forms of CUDA 12 and 13.
#pragma once

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(instance, graph, flags);
}

inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* information) {
  if (!information) return cudaErrorInvalidValue;
  *information = cudaGraphExecUpdateResultInfo();
  return cudaGraphExecUpdate(instance, graph, &information->errorNode, &information->result);
}

inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                                     size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData* edges,
                                                size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, dependencies, edges, count);
}

inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, cudaGraphEdgeData* edges,
                                                  size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, edges, count);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            const cudaGraphEdgeData* edges, size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                               const cudaGraphEdgeData* edges, size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}

inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                            cudaGraph_t* graph, const cudaGraphNode_t** dependencies = nullptr, size_t* count = nullptr) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}

inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                            cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                            size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                                       size_t count, unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, count, flags);
}
