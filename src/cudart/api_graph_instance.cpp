// Instances of graphs.
#include <cstring>

#include "cuda_runtime_api.h"
#include "messages.hpp"
#include "node_call.hpp"
#include "versioned_api.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

constexpr unsigned long long kKnownFlags = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                           cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

bool isWithoutCircles(const Graph& graph) {
  return inOrder(graph).size() == graph.nodes.size() && std::ranges::all_of(graph.nodes, [](const auto& node) {
           const auto* const child = std::get_if<ChildGraph>(&node->content->operation);
           return !child || isWithoutCircles(*child->graph);
         });
}

cudaError_t instantiate(cudaGraphExec_t* instance, cudaGraph_t handle, unsigned long long flags) {
  return call([&](Context& context) {
    const Graph* const graph = context.graphs.find(handle);
    if (!instance || !graph || graph->capturing || (flags & ~kKnownFlags)) return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) return cudaErrorNotSupported;
    if (!isWithoutCircles(*graph)) {
      printError("a graph cannot be instantiated: nodes of it depend on one another in a circle\n  remedy: remove one of the dependencies");
      return cudaErrorInvalidValue;
    }
    *instance = &context.graphs.instantiate(*graph, flags);
    return cudaSuccess;
  });
}

template <typename Body>
cudaError_t withInstance(cudaGraphExec_t handle, bool argumentsValid, Body&& body) {
  return call([&](Context& context) {
    GraphInstance* const instance = context.graphs.find(handle);
    return instance && argumentsValid ? body(context, *instance) : cudaErrorInvalidValue;
  });
}

struct Difference {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  Node* node = nullptr;  // of the new graph
};

size_t placeOf(const Node& node) {
  const auto& nodes = node.graph->nodes;
  return static_cast<size_t>(std::ranges::find(nodes, &node, &std::unique_ptr<Node>::get) - nodes.begin());
}

std::vector<size_t> dependenciesOf(const Node& node) {
  std::vector<size_t> places;
  for (const Node* const dependency : node.dependencies) places.push_back(placeOf(*dependency));
  std::ranges::sort(places);
  return places;
}

// Nodes correspond by the order of their creation.
Difference compare(const Graph& instance, const Graph& graph) {
  if (instance.nodes.size() != graph.nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged};
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = *graph.nodes[i];
    const Node& old = *instance.nodes[i];
    if (dependenciesOf(node) != dependenciesOf(old)) return {cudaGraphExecUpdateErrorTopologyChanged, &node};
    if (node.content->operation.index() != old.content->operation.index()) return {cudaGraphExecUpdateErrorNodeTypeChanged, &node};
    const auto* const child = std::get_if<ChildGraph>(&node.content->operation);
    if (!child) continue;
    const Difference within = compare(*std::get<ChildGraph>(old.content->operation).graph, *child->graph);
    if (within.result != cudaGraphExecUpdateSuccess) return within;
  }
  return {};
}

// What a node does becomes what the other's does; it stays what it is a copy of.
void assume(const Graph& instance, const Graph& graph) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Operation& target = instance.nodes[i]->content->operation;
    const Operation& source = graph.nodes[i]->content->operation;
    if (const auto* const child = std::get_if<ChildGraph>(&source))
      assume(*std::get<ChildGraph>(target).graph, *child->graph);
    else
      target = source;
  }
}

}  // namespace

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, cudaGraphNode_t* errorNode, char* log, size_t logBytes) {
  if (errorNode) *errorNode = nullptr;
  const cudaError_t status = instantiate(instance, graph, 0);
  if (log && logBytes > 0) {
    std::strncpy(log, status == cudaSuccess ? "" : cudaGetErrorString(status), logBytes - 1);
    log[logBytes - 1] = '\0';
  }
  return status;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(instance, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* instance, cudaGraph_t graph, cudaGraphInstantiateParams* parameters) {
  if (!parameters) return record(cudaErrorInvalidValue);
  const cudaError_t status = instantiate(instance, graph, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = status == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return status;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return withInstance(handle, flags, [&](Context&, GraphInstance& instance) {
    *flags = instance.flags;
    return cudaSuccess;
  });
}

// Launches of it go on.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return withInstance(handle, true, [](Context& context, GraphInstance& instance) {
    context.graphs.destroy(instance);
    return cudaSuccess;
  });
}

// There is nothing to prepare.
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return withInstance(handle, true,
                      [&](Context& context, GraphInstance&) { return targetOf(context, stream, Purpose::uncaptured).status; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return withInstance(handle, true, [&](Context& context, GraphInstance& instance) { return launch(context, instance, stream); });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graphHandle, cudaGraphNode_t* errorNode,
                                cudaGraphExecUpdateResult* result) {
  return withInstance(handle, errorNode && result, [&](Context& context, GraphInstance& instance) {
    const Graph* const graph = context.graphs.find(graphHandle);
    if (!graph) return cudaErrorInvalidValue;
    const Difference difference = compare(*instance.graph, *graph);
    *errorNode = difference.node;
    *result = difference.result;
    if (difference.result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    assume(*instance.graph, *graph);
    return cudaSuccess;
  });
}

cudaError_t __warpwrightGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* information) {
  if (!information) return record(cudaErrorInvalidValue);
  *information = {cudaGraphExecUpdateError, nullptr, nullptr};
  return cudaGraphExecUpdate(instance, graph, &information->errorNode, &information->result);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t instance, cudaGraphNode_t handle, unsigned int enabled) {
  return call([&](Context& context) {
    Node* const node = nodeOf(context, instance, handle);
    // Kernels, copies and fills may be switched off.
    if (!node || node->content->operation.index() > cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
    node->enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t instance, cudaGraphNode_t handle, unsigned int* enabled) {
  return call([&](Context& context) {
    const Node* const node = nodeOf(context, instance, handle);
    if (!node || !enabled) return cudaErrorInvalidValue;
    *enabled = node->enabled;
    return cudaSuccess;
  });
}
