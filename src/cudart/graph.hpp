// Graphs of operations, which are described once and launched as often as one likes.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/types.hpp"
#include "driver_types.h"
#include "work.hpp"

namespace warpwright::cudart {

struct NodeContent;  // operation.hpp
using Node = CUgraphNode_st;
using Graph = CUgraph_st;
using GraphInstance = CUgraphExec_st;

}  // namespace warpwright::cudart

struct CUgraphNode_st {
  warpwright::cudart::Graph* graph = nullptr;
  warpwright::u64 id = 0;          // never given twice
  warpwright::u64 clonedFrom = 0;  // the id of the node that it is a copy of; 0: of none
  std::unique_ptr<warpwright::cudart::NodeContent> content;
  std::vector<warpwright::cudart::Node*> dependencies, dependents;
  bool enabled = true;  // of an instance: those that are not do nothing
};

struct CUgraph_st {
  std::vector<std::unique_ptr<warpwright::cudart::Node>> nodes;  // in the order of their creation
  bool owned = false;                                            // by a node or an instance: programs do not destroy it
  bool capturing = false;                                        // a stream's work becomes its nodes
};

struct CUgraphExec_st {
  warpwright::cudart::Graph* graph = nullptr;  // its own copy
  unsigned long long flags = 0;
  warpwright::cudart::WorkPointer last;  // the end of its last launch: its launches follow one another
};

namespace warpwright::cudart {

// All graphs, nodes and instances that are alive. A graph that a node holds (of kind ChildGraph) is destroyed with the node.
class Graphs {
 public:
  Graphs();
  ~Graphs();
  Graphs(const Graphs&) = delete;
  Graphs& operator=(const Graphs&) = delete;

  // Null for a handle that is not alive.
  Graph* find(cudaGraph_t handle);
  Node* find(cudaGraphNode_t handle) { return nodes_.contains(handle) ? handle : nullptr; }
  GraphInstance* find(cudaGraphExec_t handle);

  Graph& create();
  void destroy(Graph& graph);
  // With copies of the graphs in it.
  Graph& clone(const Graph& graph);

  // Behind dependencies that lie in the graph.
  Node& add(Graph& graph, NodeContent content, std::span<Node* const> dependencies);
  void remove(Node& node);
  // Puts another operation in its place.
  void replace(Node& node, NodeContent content);

  GraphInstance& instantiate(const Graph& graph, unsigned long long flags);
  void destroy(GraphInstance& instance);

  void reset();

 private:
  u64 nextNode_ = 1;
  std::unordered_map<const Graph*, std::unique_ptr<Graph>> graphs_;
  std::unordered_map<const GraphInstance*, std::unique_ptr<GraphInstance>> instances_;
  std::unordered_set<const Node*> nodes_;
};

// False where there is such an edge already, or both are the same node.
bool connect(Node& from, Node& to);
// False where there is no such edge.
bool disconnect(Node& from, Node& to);
// Each behind all that it depends on; some are missing where nodes depend on one another in a circle.
std::vector<Node*> inOrder(const Graph& graph);
// Whether a node is one of `ends`, or before one of them.
bool isReachable(const Node& node, std::span<Node* const> ends);
// The copy of a node in a graph that was cloned from the node's, or in a graph within; null: there is none.
Node* copyOf(const Node& node, const Graph& clone);

}  // namespace warpwright::cudart
