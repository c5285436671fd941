// Breadth-first search as a host does it: the truth that the programs on graphs are held against.
#pragma once

#include <queue>
#include <vector>

#include "graph.hpp"

namespace workloads {

constexpr int kUnreached = -1;

// Of every node, the edges on a shortest way from `source`, or kUnreached.
inline std::vector<int> referenceLevels(const Graph& graph, int source) {
  std::vector<int> levels(graph.nodes(), kUnreached);
  std::queue<int> queue;
  levels[source] = 0;
  queue.push(source);
  while (!queue.empty()) {
    const int node = queue.front();
    queue.pop();
    for (int edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const int neighbour = graph.neighbours[edge];
      if (levels[neighbour] != kUnreached) continue;
      levels[neighbour] = levels[node] + 1;
      queue.push(neighbour);
    }
  }
  return levels;
}

}  // namespace workloads
