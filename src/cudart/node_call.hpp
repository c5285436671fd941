// Calls that make, change and read nodes.
#pragma once

#include <algorithm>
#include <span>

#include "node_parameters.hpp"

namespace warpwright::cudart {

// The nodes of `dependencies` lie in the graph, and each is there once.
inline bool areDependencies(Context& context, const Graph& graph, std::span<Node* const> dependencies) {
  for (size_t i = 0; i < dependencies.size(); ++i) {
    const Node* const node = context.graphs.find(dependencies[i]);
    if (!node || node->graph != &graph) return false;
    if (std::ranges::find(dependencies.first(i), node) != dependencies.begin() + static_cast<std::ptrdiff_t>(i)) return false;
  }
  return true;
}

// A new node. Parameters: what describe() takes.
template <typename Parameters>
cudaError_t addNode(cudaGraphNode_t* node, cudaGraph_t handle, const cudaGraphNode_t* dependencies, size_t count,
                    const Parameters& parameters) {
  return call([&](Context& context) {
    Graph* const graph = context.graphs.find(handle);
    if (!node || !graph || (count > 0 && !dependencies)) return cudaErrorInvalidValue;
    const std::span before(dependencies, count);
    if (!areDependencies(context, *graph, before)) return cudaErrorInvalidValue;
    Operation operation;
    const cudaError_t status = describe(context, parameters, operation);
    if (status == cudaSuccess) *node = &context.graphs.add(*graph, {std::move(operation)}, before);
    return status;
  });
}

// A kernel keeps its attributes.
inline void keepAttributes(const Operation& before, Operation& after) {
  const auto* const old = std::get_if<KernelCall>(&before);
  auto* const kernel = std::get_if<KernelCall>(&after);
  if (!old || !kernel) return;
  kernel->launch.cooperative = old->launch.cooperative;
  kernel->launch.cluster = old->launch.cluster;
  kernel->launch.priority = old->launch.priority;
}

// The node stays of its type.
template <typename Parameters>
cudaError_t setNode(Context& context, Node* node, const Parameters& parameters) {
  if (!node) return cudaErrorInvalidValue;
  Operation operation;
  if (const cudaError_t status = describe(context, parameters, operation); status != cudaSuccess) return status;
  if (operation.index() != node->content->operation.index()) {
    if (const auto* const child = std::get_if<ChildGraph>(&operation)) context.graphs.destroy(*child->graph);
    return cudaErrorInvalidValue;
  }
  keepAttributes(node->content->operation, operation);
  context.graphs.replace(*node, {std::move(operation)});
  return cudaSuccess;
}

template <typename Parameters>
cudaError_t setNode(cudaGraphNode_t handle, const Parameters& parameters) {
  return call([&](Context& context) { return setNode(context, context.graphs.find(handle), parameters); });
}

// Of an instance: the copy that it has of the node.
inline Node* nodeOf(Context& context, cudaGraphExec_t instanceHandle, cudaGraphNode_t nodeHandle) {
  const GraphInstance* const instance = context.graphs.find(instanceHandle);
  const Node* const node = context.graphs.find(nodeHandle);
  return instance && node ? copyOf(*node, *instance->graph) : nullptr;
}

template <typename Parameters>
cudaError_t setNode(cudaGraphExec_t instance, cudaGraphNode_t handle, const Parameters& parameters) {
  return call([&](Context& context) { return setNode(context, nodeOf(context, instance, handle), parameters); });
}

// Body: cudaError_t(Content&), for a node that holds one.
template <typename Content, typename Body>
cudaError_t withContent(cudaGraphNode_t handle, bool argumentsValid, Body&& body) {
  return call([&](Context& context) {
    Node* const node = context.graphs.find(handle);
    Content* const content = node && argumentsValid ? std::get_if<Content>(&node->content->operation) : nullptr;
    return content ? body(*content) : cudaErrorInvalidValue;
  });
}

}  // namespace warpwright::cudart
