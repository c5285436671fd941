// Replacement policies against hand-made sequences and against straightforward models.
#include "mem/cache/replacement/replacement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <memory>
#include <vector>

#include "base/types.hpp"
#include "unit/mem/conformance/random.hpp"

namespace warpwright::mem {
namespace {

const Request kAccess{};  // these policies do not ask who it is

constexpr WaySet kAll4 = WaySet::first(4);

std::unique_ptr<Replacement> filled(const char* policy, u32 ways) {
  auto result = replacementList().make(policy, {1, ways});
  for (u32 way = 0; way < ways; ++way) result->installed(0, way, kAccess);
  return result;
}

TEST(Lru, evictsTheLeastRecentlyUsed) {
  auto lru = filled("lru", 4);
  lru->touched(0, 0, kAccess, true);
  lru->touched(0, 1, kAccess, true);
  EXPECT_EQ(lru->victim(0, kAll4), 2u);
  EXPECT_EQ(lru->victim(0, WaySet(0b0011)), 0u) << "among the candidates";
}

TEST(Fifo, ignoresUses) {
  auto fifo = filled("fifo", 4);
  fifo->touched(0, 0, kAccess, true);
  EXPECT_EQ(fifo->victim(0, kAll4), 0u);
  fifo->installed(0, 0, kAccess);
  EXPECT_EQ(fifo->victim(0, kAll4), 1u);
}

// Four ways, root over (0 1) and (2 3); each use points the nodes on its path away from it.
TEST(TreePlru, followsThePointers) {
  auto tree = filled("tree_plru", 4);  // last use: 3; root points left, left node (last use 1) to 0
  EXPECT_EQ(tree->victim(0, kAll4), 0u);
  tree->touched(0, 0, kAccess, true);  // root right, left node to 1; right node to 2
  EXPECT_EQ(tree->victim(0, kAll4), 2u);
  tree->touched(0, 2, kAccess, true);  // root left
  EXPECT_EQ(tree->victim(0, kAll4), 1u) << "LRU would take 1 as well";
  tree->touched(0, 1, kAccess, true);  // root right, right node to 3
  EXPECT_EQ(tree->victim(0, kAll4), 3u);
  tree->touched(0, 3, kAccess, true);  // root left, left node to 0
  EXPECT_EQ(tree->victim(0, kAll4), 0u);
  EXPECT_EQ(tree->victim(0, WaySet(0b1110)), 1u) << "the only candidate of the half";
  EXPECT_EQ(tree->victim(0, WaySet(0b1100)), 2u) << "the other half, when the one pointed to has none";
}

// A node of the model tree: the ways it spans, its halves, and where it points.
struct Node {
  u32 first, ways;
  bool toRight = false;
  std::unique_ptr<Node> left, right;

  Node(u32 firstWay, u32 count) : first(firstWay), ways(count) {
    if (ways == 1) return;
    left = std::make_unique<Node>(first, ways / 2);
    right = std::make_unique<Node>(first + ways / 2, ways / 2);
  }
  bool holds(WaySet candidates) const { return candidates.meets(WaySet::range(first, ways)); }
  void use(u32 way) {
    if (ways == 1) return;
    toRight = way < right->first;
    (toRight ? left : right)->use(way);
  }
  u32 victim(WaySet candidates) const {
    if (ways == 1) return first;
    const bool goRight = !left->holds(candidates) || (right->holds(candidates) && toRight);
    return (goRight ? right : left)->victim(candidates);
  }
};

TEST(TreePlru, agreesWithAnExplicitTree) {
  for (const u32 ways : {1u, 2u, 3u, 5u, 6u, 8u, 24u, 32u, 64u}) {
    auto tree = replacementList().make("tree_plru", {3, ways});
    std::vector<Node> model;
    u32 span = 1;
    while (span < ways) span *= 2;
    for (int set = 0; set < 3; ++set) model.emplace_back(0, span);
    conformance::Random random(ways);
    for (int step = 0; step < 2000; ++step) {
      const u32 set = static_cast<u32>(random.below(3));
      const u32 way = static_cast<u32>(random.below(ways));
      tree->touched(set, way, kAccess, true);
      model[set].use(way);
      const WaySet candidates = (WaySet(random.next()) | WaySet::of(random.below(ways))) & WaySet::first(ways);
      const u32 victim = tree->victim(set, candidates);
      ASSERT_EQ(victim, model[set].victim(candidates)) << ways << " ways, step " << step;
      ASSERT_TRUE(candidates.contains(victim));
    }
  }
}

TEST(Lru, agreesWithAList) {
  auto lru = filled("lru", 8);
  std::list<u32> order = {0, 1, 2, 3, 4, 5, 6, 7};  // oldest first
  conformance::Random random(1);
  for (int step = 0; step < 2000; ++step) {
    const u32 way = static_cast<u32>(random.below(8));
    lru->touched(0, way, kAccess, true);
    order.remove(way);
    order.push_back(way);
    const WaySet candidates(1 + random.below(255));
    const u32 expected = *std::find_if(order.begin(), order.end(), [&](u32 each) { return candidates.contains(each); });
    ASSERT_EQ(lru->victim(0, candidates), expected);
  }
}

TEST(RandomReplacement, repeatsAndIsEven) {
  auto one = replacementList().make("random", {1, 4}), two = replacementList().make("random", {1, 4});
  std::vector<u32> count(4);
  for (int i = 0; i < 4000; ++i) {
    const u32 victim = one->victim(0, kAll4);
    EXPECT_EQ(one->victim(0, kAll4), victim) << "asking does not change the answer";
    EXPECT_EQ(two->victim(0, kAll4), victim);
    EXPECT_EQ(one->victim(0, WaySet(0b0100)), 2u);
    one->installed(0, victim, kAccess);
    two->installed(0, victim, kAccess);
    ++count[victim];
  }
  // 1000 each is expected, with a standard deviation of sqrt(4000 * 1/4 * 3/4) = 27.
  for (const u32 times : count) EXPECT_NEAR(times, 1000, 5 * 27);
}

}  // namespace
}  // namespace warpwright::mem
