#include "graph.hpp"

#include <algorithm>
#include <utility>

#include "operation.hpp"

namespace warpwright::cudart {
namespace {

Graph* graphWithin(const Node& node) {
  const ChildGraph* const child = std::get_if<ChildGraph>(&node.content->operation);
  return child ? child->graph : nullptr;
}

bool drop(std::vector<Node*>& nodes, const Node* node) { return std::erase(nodes, node) > 0; }

}  // namespace

Graphs::Graphs() = default;
Graphs::~Graphs() = default;

Graph* Graphs::find(cudaGraph_t handle) {
  const auto found = graphs_.find(handle);
  return found == graphs_.end() ? nullptr : found->second.get();
}

GraphInstance* Graphs::find(cudaGraphExec_t handle) {
  const auto found = instances_.find(handle);
  return found == instances_.end() ? nullptr : found->second.get();
}

Graph& Graphs::create() {
  auto graph = std::make_unique<Graph>();
  Graph& result = *graph;
  graphs_.emplace(&result, std::move(graph));
  return result;
}

void Graphs::destroy(Graph& graph) {
  while (!graph.nodes.empty()) remove(*graph.nodes.back());
  graphs_.erase(&graph);
}

Node& Graphs::add(Graph& graph, NodeContent content, std::span<Node* const> dependencies) {
  auto node = std::make_unique<Node>();
  node->graph = &graph;
  node->id = nextNode_++;
  node->content = std::make_unique<NodeContent>(std::move(content));
  for (Node* const dependency : dependencies) connect(*dependency, *node);
  nodes_.insert(node.get());
  graph.nodes.push_back(std::move(node));
  return *graph.nodes.back();
}

void Graphs::remove(Node& node) {
  if (Graph* const within = graphWithin(node)) destroy(*within);
  for (Node* const dependency : node.dependencies) drop(dependency->dependents, &node);
  for (Node* const dependent : node.dependents) drop(dependent->dependencies, &node);
  nodes_.erase(&node);
  std::erase_if(node.graph->nodes, [&](const auto& each) { return each.get() == &node; });
}

void Graphs::replace(Node& node, NodeContent content) {
  if (Graph* const within = graphWithin(node)) destroy(*within);
  *node.content = std::move(content);
}

Graph& Graphs::clone(const Graph& graph) {
  Graph& result = create();
  std::unordered_map<const Node*, Node*> copies;
  for (const auto& node : graph.nodes) {
    NodeContent content = *node->content;
    if (const Graph* const within = graphWithin(*node)) {
      Graph& copy = clone(*within);
      copy.owned = true;
      content.operation = ChildGraph{&copy};
    }
    Node& copy = add(result, std::move(content), {});
    copy.clonedFrom = node->id;
    copies[node.get()] = &copy;
  }
  for (const auto& node : graph.nodes)
    for (const Node* const dependency : node->dependencies) connect(*copies[dependency], *copies[node.get()]);
  return result;
}

GraphInstance& Graphs::instantiate(const Graph& graph, unsigned long long flags) {
  auto instance = std::make_unique<GraphInstance>();
  GraphInstance& result = *instance;
  result.graph = &clone(graph);
  result.graph->owned = true;
  result.flags = flags;
  instances_.emplace(&result, std::move(instance));
  return result;
}

void Graphs::destroy(GraphInstance& instance) {
  destroy(*instance.graph);
  instances_.erase(&instance);
}

void Graphs::reset() {
  instances_.clear();
  graphs_.clear();
  nodes_.clear();
}

bool connect(Node& from, Node& to) {
  if (&from == &to || std::ranges::find(from.dependents, &to) != from.dependents.end()) return false;
  from.dependents.push_back(&to);
  to.dependencies.push_back(&from);
  return true;
}

bool disconnect(Node& from, Node& to) { return drop(from.dependents, &to) && drop(to.dependencies, &from); }

std::vector<Node*> inOrder(const Graph& graph) {
  std::vector<Node*> order;
  std::unordered_map<const Node*, size_t> waitsFor;
  for (const auto& node : graph.nodes) {
    waitsFor[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) order.push_back(node.get());
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (Node* const dependent : order[i]->dependents)
      if (--waitsFor[dependent] == 0) order.push_back(dependent);
  return order;
}

bool isReachable(const Node& node, std::span<Node* const> ends) {
  std::vector<const Node*> waiting(ends.begin(), ends.end());
  std::unordered_set<const Node*> seen(ends.begin(), ends.end());
  while (!waiting.empty()) {
    const Node* const next = waiting.back();
    waiting.pop_back();
    if (next == &node) return true;
    for (const Node* const dependency : next->dependencies)
      if (seen.insert(dependency).second) waiting.push_back(dependency);
  }
  return false;
}

Node* copyOf(const Node& node, const Graph& clone) {
  for (const auto& each : clone.nodes) {
    if (each->clonedFrom == node.id) return each.get();
    if (const Graph* const within = graphWithin(*each))
      if (Node* const found = copyOf(node, *within)) return found;
  }
  return nullptr;
}

}  // namespace warpwright::cudart
