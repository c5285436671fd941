#include "compiler/graph.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::compiler {
namespace {

// Calls enter(node) before and leave(node) after the node's descendants. Iterative: chains may be as long as the function.
template <class Enter, class Leave>
void depthFirst(const Graph& graph, u32 start, Enter&& enter, Leave&& leave) {
  std::vector<bool> seen(graph.size());
  std::vector<std::pair<u32, u32>> stack{{start, 0}};
  seen[start] = true;
  enter(start);
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == graph[node].size()) {
      leave(node);
      stack.pop_back();
      continue;
    }
    const u32 successor = graph[node][next++];
    if (seen[successor]) continue;
    seen[successor] = true;
    enter(successor);
    stack.emplace_back(successor, 0);
  }
}

}  // namespace

Graph reversed(const Graph& graph) {
  Graph result(graph.size());
  for (u32 node = 0; node < graph.size(); ++node)
    for (const u32 successor : graph[node]) result[successor].push_back(node);
  return result;
}

std::vector<u32> reversePostorder(const Graph& graph, u32 start) {
  std::vector<u32> order;
  depthFirst(
      graph, start, [](u32) {}, [&](u32 node) { order.push_back(node); });
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<u32> immediateDominators(const Graph& graph, u32 start) {
  const std::vector<u32> order = reversePostorder(graph, start);
  std::vector<u32> number(graph.size(), kNoNode);
  for (u32 i = 0; i < order.size(); ++i) number[order[i]] = i;
  const Graph predecessors = reversed(graph);

  std::vector<u32> idom(graph.size(), kNoNode);
  idom[start] = start;
  const auto intersect = [&](u32 a, u32 b) {
    while (a != b) {
      while (number[a] > number[b]) a = idom[a];
      while (number[b] > number[a]) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 node : order) {
      if (node == start) continue;
      u32 best = kNoNode;
      for (const u32 predecessor : predecessors[node]) {
        if (idom[predecessor] == kNoNode) continue;
        best = best == kNoNode ? predecessor : intersect(best, predecessor);
      }
      changed |= idom[node] != best;
      idom[node] = best;
    }
  }
  idom[start] = kNoNode;
  return idom;
}

DominatorTree::DominatorTree(const Graph& graph, u32 start) : enter_(graph.size()), leave_(graph.size()) {
  const std::vector<u32> idom = immediateDominators(graph, start);
  Graph tree(graph.size());
  for (u32 node = 0; node < graph.size(); ++node)
    if (idom[node] != kNoNode) tree[idom[node]].push_back(node);
  u32 clock = 0;
  depthFirst(
      tree, start, [&](u32 node) { enter_[node] = ++clock; }, [&](u32 node) { leave_[node] = ++clock; });
}

bool DominatorTree::dominates(u32 a, u32 b) const { return enter_[a] != 0 && enter_[a] <= enter_[b] && leave_[b] <= leave_[a]; }

}  // namespace warpwright::compiler
