// Nodes of graphs.
#include "cuda_runtime_api.h"
#include "node_call.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

bool copiesToDevice(cudaMemcpyKind kind) { return kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyHostToHost; }
bool copiesFromDevice(cudaMemcpyKind kind) { return kind != cudaMemcpyHostToDevice && kind != cudaMemcpyHostToHost; }

// Copies of rows, and to and from variables.
struct Row {
  void* to;
  const void* from;
  size_t count;
  cudaMemcpyKind kind;
};
struct ToSymbol {
  const void *symbol, *from;
  size_t count, offset;
  cudaMemcpyKind kind;
};
struct FromSymbol {
  void* to;
  const void* symbol;
  size_t count, offset;
  cudaMemcpyKind kind;
};

}  // namespace

namespace warpwright::cudart {

static cudaError_t describe(Context& context, const Row& row, Operation& operation) {
  return describe(context, Copy{linear(row.to), linear(row.from), {row.count}, row.kind}, operation);
}

static cudaError_t describe(Context& context, const ToSymbol& copy, Operation& operation) {
  if (!copiesToDevice(copy.kind)) return cudaErrorInvalidMemcpyDirection;
  const SymbolBytes bytes = bytesOf(context, copy.symbol, copy.count, copy.offset);
  return bytes.status == cudaSuccess ? describe(context, Row{bytes.start, copy.from, copy.count, copy.kind}, operation) : bytes.status;
}

static cudaError_t describe(Context& context, const FromSymbol& copy, Operation& operation) {
  if (!copiesFromDevice(copy.kind)) return cudaErrorInvalidMemcpyDirection;
  const SymbolBytes bytes = bytesOf(context, copy.symbol, copy.count, copy.offset);
  return bytes.status == cudaSuccess ? describe(context, Row{copy.to, bytes.start, copy.count, copy.kind}, operation) : bytes.status;
}

static cudaError_t describe(Context&, const Nothing& nothing, Operation& operation) {
  operation = nothing;
  return cudaSuccess;
}

}  // namespace warpwright::cudart

// ---- of any type

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                             cudaGraphNodeParams* parameters) {
  return addNode(node, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                size_t count, cudaGraphNodeParams* parameters) {
  return addNode(node, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) { return setNode(node, parameters); }

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return setNode(instance, node, parameters);
}

// ---- kernels

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return addNode(node, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return withContent<KernelCall>(node, parameters, [&](KernelCall& kernel) {
    *parameters = parametersOf(kernel);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) { return setNode(node, parameters); }

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return setNode(instance, node, parameters);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value) {
  return withContent<KernelCall>(node, value, [&](KernelCall& kernel) {
    *value = {};
    const Dim3 cluster = kernel.launch.cluster.value_or(Dim3{0, 0, 0});
    if (attribute == cudaLaunchAttributeCooperative)
      value->cooperative = kernel.launch.cooperative;
    else if (attribute == cudaLaunchAttributeClusterDimension)
      value->clusterDim = {cluster.x, cluster.y, cluster.z};
    else if (attribute == cudaLaunchAttributePriority)
      value->priority = kernel.launch.priority;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value) {
  return withContent<KernelCall>(node, value, [&](KernelCall& kernel) {
    if (attribute == cudaLaunchAttributeCooperative)
      kernel.launch.cooperative = value->cooperative != 0;
    else if (attribute == cudaLaunchAttributeClusterDimension)
      kernel.launch.cluster = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
    else if (attribute == cudaLaunchAttributePriority)
      kernel.launch.priority = value->priority;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return withContent<KernelCall>(from, true, [&](KernelCall& source) {
    return withContent<KernelCall>(to, true, [&](KernelCall& target) {
      target.launch.cooperative = source.launch.cooperative;
      target.launch.cluster = source.launch.cluster;
      target.launch.priority = source.launch.priority;
      return cudaSuccess;
    });
  });
}

// ---- copies

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return addNode(node, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t dependencyCount,
                                     void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return addNode(node, graph, dependencies, dependencyCount, Row{to, from, count, kind});
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                           size_t dependencyCount, const void* symbol, const void* from, size_t count, size_t offset,
                                           cudaMemcpyKind kind) {
  return addNode(node, graph, dependencies, dependencyCount, ToSymbol{symbol, from, count, offset, kind});
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                             size_t dependencyCount, void* to, const void* symbol, size_t count, size_t offset,
                                             cudaMemcpyKind kind) {
  return addNode(node, graph, dependencies, dependencyCount, FromSymbol{to, symbol, count, offset, kind});
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return withContent<Copy>(node, parameters, [&](Copy& copy) {
    *parameters = parametersOf(copy);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) { return setNode(node, parameters); }

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return setNode(node, Row{to, from, count, kind});
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from, size_t count, size_t offset,
                                                 cudaMemcpyKind kind) {
  return setNode(node, ToSymbol{symbol, from, count, offset, kind});
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol, size_t count, size_t offset,
                                                   cudaMemcpyKind kind) {
  return setNode(node, FromSymbol{to, symbol, count, offset, kind});
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return setNode(instance, node, parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t instance, cudaGraphNode_t node, void* to, const void* from, size_t count,
                                               cudaMemcpyKind kind) {
  return setNode(instance, node, Row{to, from, count, kind});
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t instance, cudaGraphNode_t node, const void* symbol, const void* from,
                                                     size_t count, size_t offset, cudaMemcpyKind kind) {
  return setNode(instance, node, ToSymbol{symbol, from, count, offset, kind});
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t instance, cudaGraphNode_t node, void* to, const void* symbol,
                                                       size_t count, size_t offset, cudaMemcpyKind kind) {
  return setNode(instance, node, FromSymbol{to, symbol, count, offset, kind});
}

// ---- fills

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return addNode(node, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return withContent<Fill>(node, parameters, [&](Fill& fill) {
    *parameters = parametersOf(fill);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) { return setNode(node, parameters); }

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return setNode(instance, node, parameters);
}

// ---- calls of the host's functions

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return addNode(node, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return withContent<HostCall>(node, parameters, [&](HostCall& call) {
    *parameters = {call.function, call.userData};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) { return setNode(node, parameters); }

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return setNode(instance, node, parameters);
}

// ---- graphs within, and nothing

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return addNode(node, graph, dependencies, count, child);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return withContent<ChildGraph>(node, graph, [&](ChildGraph& child) {
    *graph = child.graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node, cudaGraph_t child) {
  return setNode(instance, node, child);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count) {
  return addNode(node, graph, dependencies, count, Nothing{});
}

// ---- events

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return addNode(node, graph, dependencies, count, EventRecord{event});
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return withContent<EventRecord>(node, event, [&](EventRecord& record) {
    *event = record.event;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) { return setNode(node, EventRecord{event}); }

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t instance, cudaGraphNode_t node, cudaEvent_t event) {
  return setNode(instance, node, EventRecord{event});
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return addNode(node, graph, dependencies, count, EventWait{event});
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return withContent<EventWait>(node, event, [&](EventWait& wait) {
    *event = wait.event;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) { return setNode(node, EventWait{event}); }

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t instance, cudaGraphNode_t node, cudaEvent_t event) {
  return setNode(instance, node, EventWait{event});
}
