// Graphs: their nodes and edges.
#include <algorithm>
#include <fstream>

#include "cuda_runtime_api.h"
#include "operation.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

template <typename Body>
cudaError_t withGraph(cudaGraph_t handle, bool argumentsValid, Body&& body) {
  return call([&](Context& context) {
    Graph* const graph = context.graphs.find(handle);
    return graph && argumentsValid ? body(context, *graph) : cudaErrorInvalidValue;
  });
}

template <typename Body>
cudaError_t withNode(cudaGraphNode_t handle, bool argumentsValid, Body&& body) {
  return call([&](Context& context) {
    Node* const node = context.graphs.find(handle);
    return node && argumentsValid ? body(context, *node) : cudaErrorInvalidValue;
  });
}

// Gives as many of the values as the program has room for, null for the rest of it, and their number; without room, the number alone.
template <typename Value>
void give(const std::vector<Value>& values, Value* room, size_t size) {
  if (!room) return;
  const size_t given = std::min(size, values.size());
  std::copy_n(values.begin(), given, room);
  std::fill(room + given, room + size, Value{});
}

cudaError_t giveNodes(const std::vector<Node*>& nodes, cudaGraphNode_t* room, cudaGraphEdgeData* edges, size_t* count) {
  if (edges) std::fill_n(edges, std::min(*count, nodes.size()), cudaGraphEdgeData{});
  give(nodes, room, *count);
  *count = room ? std::min(*count, nodes.size()) : nodes.size();
  return cudaSuccess;
}

std::vector<Node*> nodesOf(const Graph& graph) {
  std::vector<Node*> result;
  for (const auto& node : graph.nodes) result.push_back(node.get());
  return result;
}

std::vector<Node*> rootsOf(const Graph& graph) {
  std::vector<Node*> result = nodesOf(graph);
  std::erase_if(result, [](const Node* node) { return !node->dependencies.empty(); });
  return result;
}

cudaError_t giveEdges(const Graph& graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges, size_t* count) {
  std::vector<Node*> begins, ends;
  for (const auto& node : graph.nodes) {
    for (Node* const dependent : node->dependents) {
      begins.push_back(node.get());
      ends.push_back(dependent);
    }
  }
  give(begins, from, *count);
  return giveNodes(ends, to, edges, count);
}

bool arePlain(const cudaGraphEdgeData* edges, size_t count) {
  return !edges || std::all_of(edges, edges + count, [](const cudaGraphEdgeData& edge) {
    return edge.from_port == 0 && edge.to_port == 0 && edge.type == cudaGraphDependencyTypeDefault;
  });
}

// All edges are changed, or none: `undo` takes back the first ones where a later one fails.
cudaError_t changeEdges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count,
                        bool (*change)(Node&, Node&), bool (*undo)(Node&, Node&)) {
  return withGraph(handle, count == 0 || (from && to), [&](Context& context, Graph& graph) {
    const auto isInside = [&](cudaGraphNode_t node) { return context.graphs.find(node) && node->graph == &graph; };
    if (!std::all_of(from, from + count, isInside) || !std::all_of(to, to + count, isInside)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      if (change(*from[i], *to[i])) continue;
      while (i-- > 0) undo(*from[i], *to[i]);
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

constexpr const char* kTypeNames[] = {"kernel", "memcpy", "memset", "host", "graph", "empty", "wait event", "event record"};

std::string labelOf(const Node& node) {
  const Operation& operation = node.content->operation;
  const auto* const kernel = std::get_if<KernelCall>(&operation);
  return kernel ? kernel->launch.kernel->name : kTypeNames[operation.index()];
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return call([&](Context& context) {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    context.device();
    *graph = &context.graphs.create();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return withGraph(handle, true, [](Context& context, Graph& graph) {
    if (graph.owned || graph.capturing) return cudaErrorInvalidValue;
    context.graphs.destroy(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
  return withGraph(handle, clone, [&](Context& context, Graph& graph) {
    *clone = &context.graphs.clone(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return withGraph(handle, count, [&](Context&, Graph& graph) { return giveNodes(nodesOf(graph), nodes, nullptr, count); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return withGraph(handle, count, [&](Context&, Graph& graph) { return giveNodes(rootsOf(graph), nodes, nullptr, count); });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges, size_t* count) {
  // Both ends or none.
  return withGraph(handle, count && !from == !to, [&](Context&, Graph& graph) { return giveEdges(graph, from, to, edges, count); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
  return changeEdges(graph, from, to, count, &connect, &disconnect);
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, size_t count) {
  return arePlain(edges, count) ? cudaGraphAddDependencies(graph, from, to, count) : record(cudaErrorNotSupported);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
  return changeEdges(graph, from, to, count, &disconnect, &connect);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           const cudaGraphEdgeData* edges, size_t count) {
  return arePlain(edges, count) ? cudaGraphRemoveDependencies(graph, from, to, count) : record(cudaErrorInvalidValue);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
  return withGraph(handle, path, [&](Context&, Graph& graph) {
    std::ofstream file(path);
    file << "digraph {\n";
    for (const auto& node : graph.nodes) {
      file << "  n" << node->id << " [label=\"" << labelOf(*node) << "\"];\n";
      for (const Node* const dependent : node->dependents) file << "  n" << node->id << " -> n" << dependent->id << ";\n";
    }
    file << "}\n" << std::flush;
    return file ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return withNode(handle, type, [&](Context&, Node& node) {
    *type = static_cast<cudaGraphNodeType>(node.content->operation.index());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, dependencies, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t handle, cudaGraphNode_t* dependencies, cudaGraphEdgeData* edges,
                                            size_t* count) {
  return withNode(handle, count, [&](Context&, Node& node) { return giveNodes(node.dependencies, dependencies, edges, count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t handle, cudaGraphNode_t* dependents, cudaGraphEdgeData* edges,
                                              size_t* count) {
  return withNode(handle, count, [&](Context&, Node& node) { return giveNodes(node.dependents, dependents, edges, count); });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t handle, cudaGraph_t cloneHandle) {
  return withNode(handle, found, [&](Context& context, Node& node) {
    const Graph* const clone = context.graphs.find(cloneHandle);
    *found = clone ? copyOf(node, *clone) : nullptr;
    return *found ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return withNode(handle, true, [](Context& context, Node& node) {
    if (node.graph->capturing) return cudaErrorInvalidValue;
    context.graphs.remove(node);
    return cudaSuccess;
  });
}
