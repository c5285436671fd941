// Graphs in compressed sparse rows, and two generators of opposite character.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "random.hpp"

namespace workloads {

struct Graph {
  std::vector<int> offsets;     // per node its first edge, and one past the last edge at the end
  std::vector<int> neighbours;  // per edge
  int nodes() const { return int(offsets.size()) - 1; }
};

using Edge = std::pair<int, int>;

// Undirected: every edge is entered in both directions.
inline Graph makeGraph(int nodes, const std::vector<Edge>& edges) {
  Graph graph;
  graph.offsets.assign(nodes + 1, 0);
  for (const Edge& edge : edges) {
    ++graph.offsets[edge.first + 1];
    ++graph.offsets[edge.second + 1];
  }
  for (int node = 0; node < nodes; ++node) graph.offsets[node + 1] += graph.offsets[node];
  graph.neighbours.resize(2 * edges.size());
  std::vector<int> next(graph.offsets.begin(), graph.offsets.end() - 1);
  for (const Edge& edge : edges) {
    graph.neighbours[next[edge.first]++] = edge.second;
    graph.neighbours[next[edge.second]++] = edge.first;
  }
  return graph;
}

// Power-law degrees, few levels: the recursive matrix generator (Chakrabarti et al., SDM 2004) with the Graph500 probabilities.
inline Graph powerLawGraph(int log2Nodes, int edgesPerNode, Random& random) {
  const int nodes = 1 << log2Nodes;
  std::vector<Edge> edges(size_t(nodes) * edgesPerNode);
  for (Edge& edge : edges) {
    for (int bit = 0; bit < log2Nodes; ++bit) {
      const float quadrant = random.uniform();
      const bool down = quadrant >= 0.57f + 0.19f;
      const bool right = down ? quadrant >= 0.57f + 0.19f + 0.19f : quadrant >= 0.57f;
      edge.first = 2 * edge.first + down;
      edge.second = 2 * edge.second + right;
    }
  }
  return makeGraph(nodes, edges);
}

// Low, even degrees and very many levels: a street grid in which one street in eight is missing, with a few diagonals.
inline Graph roadGraph(int side, Random& random) {
  std::vector<Edge> edges;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const int node = row * side + column;
      const bool hasRight = column + 1 < side, hasBelow = row + 1 < side;
      if (hasRight && random.below(8) != 0) edges.push_back({node, node + 1});
      if (hasBelow && random.below(8) != 0) edges.push_back({node, node + side});
      if (hasRight && hasBelow && random.below(32) == 0) edges.push_back({node, node + side + 1});
    }
  }
  return makeGraph(side * side, edges);
}

// Each node's neighbours in the order of their numbers, as files of graphs have them.
inline void sortNeighbours(Graph& graph) {
  for (int node = 0; node < graph.nodes(); ++node)
    std::sort(graph.neighbours.begin() + graph.offsets[node], graph.neighbours.begin() + graph.offsets[node + 1]);
}

// A length from 1 to `longest` for each edge, the same in both directions and of all edges between two nodes.
inline std::vector<int> edgeLengths(const Graph& graph, int longest) {
  std::vector<int> lengths(graph.neighbours.size());
  for (int node = 0; node < graph.nodes(); ++node) {
    for (int edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const std::uint64_t low = std::min(node, graph.neighbours[edge]), high = std::max(node, graph.neighbours[edge]);
      lengths[edge] = 1 + int(Random(high << 32 | low).below(longest));
    }
  }
  return lengths;
}

// The first node that has an edge at all.
inline int firstConnected(const Graph& graph) {
  int node = 0;
  while (node + 1 < graph.nodes() && graph.offsets[node] == graph.offsets[node + 1]) ++node;
  return node;
}

}  // namespace workloads
