// Graphs and stream capture. Where releases of CUDA differ in a function's arguments, the plain name has the form of CUDA 11, but for the
// parameters of kernel nodes; programs in C++ may use the forms of later releases too.
#pragma once

#include "cuda_driver_graph_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// ---- stream capture

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode);
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     size_t count, CUstreamCaptureMode mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph);
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status);
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id);
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, size_t* count);
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count);
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count, unsigned int flags);
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* edges, size_t count,
                                              unsigned int flags);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode);

// ---- graphs

CUresult cuGraphCreate(CUgraph* graph, unsigned int flags);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuGraphClone(CUgraph* clone, CUgraph graph);
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count);
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count);
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count);
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges, size_t* count);
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count);
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData* edges,
                                   size_t count);
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count);
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData* edges,
                                      size_t count);
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags);
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies, CUgraphEdgeData* edges, size_t* count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* dependents, CUgraphEdgeData* edges, size_t* count);
CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone);
CUresult cuGraphDestroyNode(CUgraphNode node);
CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS* parameters);
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters);
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters);
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec instance, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue* value);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue* value);
CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, const CUDA_MEMCPY3D* copy,
                              CUcontext context);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* copy);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* copy);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMCPY3D* copy, CUcontext context);
CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext context);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters,
                                        CUcontext context);
CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS* parameters);
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters);
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters);
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, CUgraph child);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec instance, CUgraphNode node, CUgraph child);
CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count);
CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, CUevent event);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec instance, CUgraphNode node, CUevent event);
CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, CUevent event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec instance, CUgraphNode node, CUevent event);
CUresult cuGraphInstantiate(CUgraphExec* instance, CUgraph graph, CUgraphNode* errorNode, char* log, size_t logBytes);
CUresult cuGraphInstantiate_v2(CUgraphExec* instance, CUgraph graph, CUgraphNode* errorNode, char* log, size_t logBytes);
CUresult cuGraphInstantiateWithFlags(CUgraphExec* instance, CUgraph graph, unsigned long long flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec* instance, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters);
CUresult cuGraphExecGetFlags(CUgraphExec instance, cuuint64_t* flags);
CUresult cuGraphExecDestroy(CUgraphExec instance);
CUresult cuGraphUpload(CUgraphExec instance, CUstream stream);
CUresult cuGraphLaunch(CUgraphExec instance, CUstream stream);
CUresult cuGraphExecUpdate(CUgraphExec instance, CUgraph graph, CUgraphNode* errorNode, CUgraphExecUpdateResult* result);
CUresult cuGraphExecUpdate_v2(CUgraphExec instance, CUgraph graph, CUgraphExecUpdateResultInfo* information);
CUresult cuGraphNodeSetEnabled(CUgraphExec instance, CUgraphNode node, unsigned int enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec instance, CUgraphNode node, unsigned int* enabled);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && !defined(WARPWRIGHT_API_WITHOUT_OVERLOADS)
inline CUresult cuGraphInstantiate(CUgraphExec* instance, CUgraph graph, unsigned long long flags) {
  return cuGraphInstantiateWithFlags(instance, graph, flags);
}
inline CUresult cuGraphExecUpdate(CUgraphExec instance, CUgraph graph, CUgraphExecUpdateResultInfo* information) {
  return cuGraphExecUpdate_v2(instance, graph, information);
}
inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, edges, count);
}
inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData* edges,
                                       size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, edges, count);
}
inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData* edges,
                                          size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                       const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}
#endif
