// Graphs: the runtime's under the driver's names.
#define WARPWRIGHT_API_WITHOUT_OVERLOADS
#include "call.hpp"
#include "copy_parameters.hpp"

// What the forms of CUDA 10 and 11 are called.
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams

using namespace warpwright::cuda;

extern "C" {
#pragma GCC visibility push(default)
CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1* parameters);
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* parameters);
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters);
#pragma GCC visibility pop
}

namespace {

void* kernelOf(const CUDA_KERNEL_NODE_PARAMS_v1& given) { return given.func; }
void* kernelOf(const CUDA_KERNEL_NODE_PARAMS& given) {
  return given.func ? static_cast<void*>(given.func) : static_cast<void*>(given.kern);
}

template <typename Given>
cudaKernelNodeParams runtimeForm(const Given& given) {
  return {kernelOf(given),
          dim3(given.gridDimX, given.gridDimY, given.gridDimZ),
          dim3(given.blockDimX, given.blockDimY, given.blockDimZ),
          given.sharedMemBytes,
          given.kernelParams,
          given.extra};
}

cudaMemsetParams runtimeForm(const CUDA_MEMSET_NODE_PARAMS& given) {
  return {pointerOf(given.dst), given.pitch, given.value, given.elementSize, given.width, given.height};
}

cudaHostNodeParams runtimeForm(const CUDA_HOST_NODE_PARAMS& given) { return {given.fn, given.userData}; }

// Body: cudaError_t(parameters in the runtime's form).
template <typename Given, typename Body>
CUresult withParameters(const Given* given, Body&& body) {
  if (!given) return CUDA_ERROR_INVALID_VALUE;
  return forward(Needs::context, [&] { return body(runtimeForm(*given)); });
}

template <typename Body>
CUresult withCopy(const CUDA_MEMCPY3D* given, Body&& body) {
  if (!given) return CUDA_ERROR_INVALID_VALUE;
  if (namesArray(*given)) return CUDA_ERROR_NOT_SUPPORTED;
  return forward(Needs::context, [&] {
    const auto parameters = parametersOf(*given);
    return parameters ? body(*parameters) : cudaErrorInvalidValue;
  });
}

template <typename Given>
CUresult getKernelParameters(CUgraphNode node, Given* result) {
  if (!result) return CUDA_ERROR_INVALID_VALUE;
  return forward(Needs::context, [&] {
    cudaKernelNodeParams found{};
    if (const cudaError_t status = cudaGraphKernelNodeGetParams(node, &found); status != cudaSuccess) return status;
    *result = {};
    result->func = static_cast<CUfunction>(found.func);
    result->gridDimX = found.gridDim.x;
    result->gridDimY = found.gridDim.y;
    result->gridDimZ = found.gridDim.z;
    result->blockDimX = found.blockDim.x;
    result->blockDimY = found.blockDim.y;
    result->blockDimZ = found.blockDim.z;
    result->sharedMemBytes = found.sharedMemBytes;
    result->kernelParams = found.kernelParams;
    return cudaSuccess;
  });
}

CUresult getCopy(CUgraphNode node, CUDA_MEMCPY3D* result) {
  if (!result) return CUDA_ERROR_INVALID_VALUE;
  return forward(Needs::context, [&] {
    cudaMemcpy3DParms found{};
    const cudaError_t status = cudaGraphMemcpyNodeGetParams(node, &found);
    if (status == cudaSuccess) *result = driverForm(found);
    return status;
  });
}

CUresult getFill(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* result) {
  if (!result) return CUDA_ERROR_INVALID_VALUE;
  return forward(Needs::context, [&] {
    cudaMemsetParams found{};
    const cudaError_t status = cudaGraphMemsetNodeGetParams(node, &found);
    if (status == cudaSuccess)
      *result = {reinterpret_cast<CUdeviceptr>(found.dst), found.pitch, found.value, found.elementSize, found.width, found.height};
    return status;
  });
}

CUresult getHostCall(CUgraphNode node, CUDA_HOST_NODE_PARAMS* result) {
  if (!result) return CUDA_ERROR_INVALID_VALUE;
  return forward(Needs::context, [&] {
    cudaHostNodeParams found{};
    const cudaError_t status = cudaGraphHostNodeGetParams(node, &found);
    if (status == cudaSuccess) *result = {found.fn, found.userData};
    return status;
  });
}

}  // namespace

CUresult cuGraphCreate(CUgraph* graph, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaGraphCreate(graph, flags); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return forward(Needs::context, [&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
  return forward(Needs::context, [&] { return cudaGraphClone(clone, graph); });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return forward(Needs::context, [&] { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return forward(Needs::context, [&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return forward(Needs::context, [&] { return cudaGraphGetEdges(graph, from, to, count); });
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges, size_t* count) {
  return forward(Needs::context, [&] { return cudaGraphGetEdges_v2(graph, from, to, reinterpret_cast<cudaGraphEdgeData*>(edges), count); });
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  return forward(Needs::context, [&] { return cudaGraphAddDependencies(graph, from, to, count); });
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData* edges,
                                   size_t count) {
  return forward(Needs::context,
                 [&] { return cudaGraphAddDependencies_v2(graph, from, to, reinterpret_cast<const cudaGraphEdgeData*>(edges), count); });
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  return forward(Needs::context, [&] { return cudaGraphRemoveDependencies(graph, from, to, count); });
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData* edges,
                                      size_t count) {
  return forward(Needs::context,
                 [&] { return cudaGraphRemoveDependencies_v2(graph, from, to, reinterpret_cast<const cudaGraphEdgeData*>(edges), count); });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return forward(Needs::context, [&] { return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type)); });
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return forward(Needs::context, [&] { return cudaGraphNodeGetDependencies(node, dependencies, count); });
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies, CUgraphEdgeData* edges, size_t* count) {
  return forward(Needs::context,
                 [&] { return cudaGraphNodeGetDependencies_v2(node, dependencies, reinterpret_cast<cudaGraphEdgeData*>(edges), count); });
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count) {
  return forward(Needs::context, [&] { return cudaGraphNodeGetDependentNodes(node, dependents, count); });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* dependents, CUgraphEdgeData* edges, size_t* count) {
  return forward(Needs::context,
                 [&] { return cudaGraphNodeGetDependentNodes_v2(node, dependents, reinterpret_cast<cudaGraphEdgeData*>(edges), count); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone) {
  return forward(Needs::context, [&] { return cudaGraphNodeFindInClone(found, original, clone); });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return forward(Needs::context, [&] { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return withParameters(
      parameters, [&](const cudaKernelNodeParams& given) { return cudaGraphAddKernelNode(node, graph, dependencies, count, &given); });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return getKernelParameters(node, parameters);
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return withParameters(parameters, [&](const cudaKernelNodeParams& given) { return cudaGraphKernelNodeSetParams(node, &given); });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return withParameters(parameters,
                        [&](const cudaKernelNodeParams& given) { return cudaGraphExecKernelNodeSetParams(instance, node, &given); });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return withParameters(
      parameters, [&](const cudaKernelNodeParams& given) { return cudaGraphAddKernelNode(node, graph, dependencies, count, &given); });
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return getKernelParameters(node, parameters);
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return withParameters(parameters, [&](const cudaKernelNodeParams& given) { return cudaGraphKernelNodeSetParams(node, &given); });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec instance, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return withParameters(parameters,
                        [&](const cudaKernelNodeParams& given) { return cudaGraphExecKernelNodeSetParams(instance, node, &given); });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return forward(Needs::context, [&] { return cudaGraphKernelNodeCopyAttributes(to, from); });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue* value) {
  return forward(Needs::context, [&] {
    return cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(attribute),
                                           reinterpret_cast<cudaLaunchAttributeValue*>(value));
  });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue* value) {
  return forward(Needs::context, [&] {
    return cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(attribute),
                                           reinterpret_cast<const cudaLaunchAttributeValue*>(value));
  });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, const CUDA_MEMCPY3D* copy,
                              CUcontext) {
  return withCopy(copy, [&](const cudaMemcpy3DParms& given) { return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &given); });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* copy) { return getCopy(node, copy); }

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* copy) {
  return withCopy(copy, [&](const cudaMemcpy3DParms& given) { return cudaGraphMemcpyNodeSetParams(node, &given); });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMCPY3D* copy, CUcontext) {
  return withCopy(copy, [&](const cudaMemcpy3DParms& given) { return cudaGraphExecMemcpyNodeSetParams(instance, node, &given); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return withParameters(parameters,
                        [&](const cudaMemsetParams& given) { return cudaGraphAddMemsetNode(node, graph, dependencies, count, &given); });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) { return getFill(node, parameters); }

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return withParameters(parameters, [&](const cudaMemsetParams& given) { return cudaGraphMemsetNodeSetParams(node, &given); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return withParameters(parameters,
                        [&](const cudaMemsetParams& given) { return cudaGraphExecMemsetNodeSetParams(instance, node, &given); });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS* parameters) {
  return withParameters(parameters,
                        [&](const cudaHostNodeParams& given) { return cudaGraphAddHostNode(node, graph, dependencies, count, &given); });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) { return getHostCall(node, parameters); }

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return withParameters(parameters, [&](const cudaHostNodeParams& given) { return cudaGraphHostNodeSetParams(node, &given); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec instance, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return withParameters(parameters,
                        [&](const cudaHostNodeParams& given) { return cudaGraphExecHostNodeSetParams(instance, node, &given); });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, CUgraph child) {
  return forward(Needs::context, [&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return forward(Needs::context, [&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec instance, CUgraphNode node, CUgraph child) {
  return forward(Needs::context, [&] { return cudaGraphExecChildGraphNodeSetParams(instance, node, child); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count) {
  return forward(Needs::context, [&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, CUevent event) {
  return forward(Needs::context, [&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return forward(Needs::context, [&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return forward(Needs::context, [&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec instance, CUgraphNode node, CUevent event) {
  return forward(Needs::context, [&] { return cudaGraphExecEventRecordNodeSetEvent(instance, node, event); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count, CUevent event) {
  return forward(Needs::context, [&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return forward(Needs::context, [&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return forward(Needs::context, [&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec instance, CUgraphNode node, CUevent event) {
  return forward(Needs::context, [&] { return cudaGraphExecEventWaitNodeSetEvent(instance, node, event); });
}

CUresult cuGraphInstantiate(CUgraphExec* instance, CUgraph graph, CUgraphNode* errorNode, char* log, size_t logBytes) {
  return forward(Needs::context, [&] { return cudaGraphInstantiate(instance, graph, errorNode, log, logBytes); });
}

CUresult cuGraphInstantiate_v2(CUgraphExec* instance, CUgraph graph, CUgraphNode* errorNode, char* log, size_t logBytes) {
  return forward(Needs::context, [&] { return cudaGraphInstantiate(instance, graph, errorNode, log, logBytes); });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* instance, CUgraph graph, unsigned long long flags) {
  return forward(Needs::context, [&] { return cudaGraphInstantiateWithFlags(instance, graph, flags); });
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* instance, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return forward(Needs::context, [&] {
    return cudaGraphInstantiateWithParams(instance, graph, reinterpret_cast<cudaGraphInstantiateParams*>(parameters));
  });
}

CUresult cuGraphExecGetFlags(CUgraphExec instance, cuuint64_t* flags) {
  return forward(Needs::context, [&] { return cudaGraphExecGetFlags(instance, reinterpret_cast<unsigned long long*>(flags)); });
}

CUresult cuGraphExecDestroy(CUgraphExec instance) {
  return forward(Needs::context, [&] { return cudaGraphExecDestroy(instance); });
}

CUresult cuGraphUpload(CUgraphExec instance, CUstream stream) {
  return forward(Needs::context, [&] { return cudaGraphUpload(instance, stream); });
}

CUresult cuGraphLaunch(CUgraphExec instance, CUstream stream) {
  return forward(Needs::context, [&] { return cudaGraphLaunch(instance, stream); });
}

CUresult cuGraphExecUpdate(CUgraphExec instance, CUgraph graph, CUgraphNode* errorNode, CUgraphExecUpdateResult* result) {
  return forward(Needs::context,
                 [&] { return cudaGraphExecUpdate(instance, graph, errorNode, reinterpret_cast<cudaGraphExecUpdateResult*>(result)); });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec instance, CUgraph graph, CUgraphExecUpdateResultInfo* information) {
  if (!information) return CUDA_ERROR_INVALID_VALUE;
  *information = {CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
  return cuGraphExecUpdate(instance, graph, &information->errorNode, &information->result);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec instance, CUgraphNode node, unsigned int enabled) {
  return forward(Needs::context, [&] { return cudaGraphNodeSetEnabled(instance, node, enabled); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec instance, CUgraphNode node, unsigned int* enabled) {
  return forward(Needs::context, [&] { return cudaGraphNodeGetEnabled(instance, node, enabled); });
}
