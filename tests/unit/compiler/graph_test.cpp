// Dominators against their definition: a dominates b when no path from the start to b avoids a.
#include "compiler/graph.hpp"

#include <gtest/gtest.h>

#include <random>

namespace warpwright::compiler {
namespace {

// Nodes reachable from the start without entering `avoided`.
std::vector<bool> reachableAvoiding(const Graph& graph, u32 start, u32 avoided) {
  std::vector<bool> seen(graph.size());
  std::vector<u32> work;
  if (start != avoided) work.push_back(start);
  while (!work.empty()) {
    const u32 node = work.back();
    work.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    for (const u32 next : graph[node])
      if (next != avoided) work.push_back(next);
  }
  return seen;
}

bool dominatesByDefinition(const Graph& graph, u32 start, u32 a, u32 b) {
  return reachableAvoiding(graph, start, kNoNode)[b] && (a == b || !reachableAvoiding(graph, start, a)[b]);
}

// The strict dominator that every other strict dominator dominates.
u32 immediateDominatorByDefinition(const Graph& graph, u32 start, u32 node) {
  std::vector<u32> strict;
  for (u32 a = 0; a < graph.size(); ++a)
    if (a != node && dominatesByDefinition(graph, start, a, node)) strict.push_back(a);
  for (const u32 candidate : strict) {
    bool closest = true;
    for (const u32 other : strict) closest &= dominatesByDefinition(graph, start, other, candidate);
    if (closest) return candidate;
  }
  return kNoNode;
}

Graph randomGraph(std::mt19937& random) {
  const u32 nodes = 1 + random() % 12;
  Graph graph(nodes);
  for (std::vector<u32>& successors : graph)
    for (u32 edges = random() % 3; edges > 0; --edges) successors.push_back(random() % nodes);
  return graph;
}

TEST(Graph, ImmediateDominatorsOfADiamondWithALoop) {
  // 0 → 1 → {2, 3} → 4 → 1, 4 → 5
  const Graph graph{{1}, {2, 3}, {4}, {4}, {1, 5}, {}};
  EXPECT_EQ(immediateDominators(graph, 0), (std::vector<u32>{kNoNode, 0, 1, 1, 1, 4}));
}

TEST(Graph, ImmediateDominatorsOfAnIrreducibleLoop) {
  // Two entries into the cycle 1 ⇄ 2: neither dominates the other.
  const Graph graph{{1, 2}, {2}, {1, 3}, {}};
  EXPECT_EQ(immediateDominators(graph, 0), (std::vector<u32>{kNoNode, 0, 0, 2}));
}

TEST(Graph, UnreachableNodesHaveNoDominator) {
  const Graph graph{{1}, {}, {1}};
  EXPECT_EQ(immediateDominators(graph, 0), (std::vector<u32>{kNoNode, 0, kNoNode}));
  EXPECT_FALSE(DominatorTree(graph, 0).dominates(0, 2));
}

TEST(Graph, RandomGraphsAgreeWithTheDefinition) {
  std::mt19937 random(1);
  for (u32 round = 0; round < 400; ++round) {
    const Graph graph = randomGraph(random);
    const std::vector<u32> idom = immediateDominators(graph, 0);
    const DominatorTree tree(graph, 0);
    const std::vector<bool> reachable = reachableAvoiding(graph, 0, kNoNode);
    for (u32 node = 0; node < graph.size(); ++node) {
      const u32 expected = node == 0 || !reachable[node] ? kNoNode : immediateDominatorByDefinition(graph, 0, node);
      ASSERT_EQ(idom[node], expected) << "round " << round << ", node " << node;
      for (u32 a = 0; a < graph.size(); ++a)
        ASSERT_EQ(tree.dominates(a, node), dominatesByDefinition(graph, 0, a, node)) << "round " << round << ": " << a << ", " << node;
    }
  }
}

TEST(Graph, LongChainsDoNotExhaustTheStack) {
  Graph graph(200000);
  for (u32 i = 0; i + 1 < graph.size(); ++i) graph[i].push_back(i + 1);
  EXPECT_EQ(immediateDominators(graph, 0).back(), graph.size() - 2);
}

}  // namespace
}  // namespace warpwright::compiler
