// Directed graphs of basic blocks, dominators and post-dominators.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::compiler {

// Successor lists by node.
using Graph = std::vector<std::vector<u32>>;

inline constexpr u32 kNoNode = ~u32{0};

Graph reversed(const Graph& graph);

// Nodes reachable from the start, each after all its predecessors but those of back edges.
std::vector<u32> reversePostorder(const Graph& graph, u32 start);

// Immediate dominator of every node; kNoNode for the start and for nodes it does not reach.
// (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", 2001.)
std::vector<u32> immediateDominators(const Graph& graph, u32 start);

// Answers "does a dominate b" in constant time.
class DominatorTree {
 public:
  DominatorTree(const Graph& graph, u32 start);
  // Every node dominates itself; false when either is unreachable.
  bool dominates(u32 a, u32 b) const;

 private:
  std::vector<u32> enter_, leave_;  // depth-first numbers; 0: unreachable
};

}  // namespace warpwright::compiler
