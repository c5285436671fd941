// Tree pseudo-LRU: a binary tree over the ways, each node pointing to the half that was used less recently.
#pragma once

#include <vector>

#include "mem/cache/replacement/replacement.hpp"

namespace warpwright::mem {

// Any number of ways: the tree spans the next power of two, and a half without candidates is never entered.
class TreePlru final : public Replacement {
 public:
  TreePlru(u32 sets, u32 ways);
  void touched(u32 set, u32 way, const Request&, bool) override { use(set, way); }
  void installed(u32 set, u32 way, const Request&) override { use(set, way); }
  u32 victim(u32 set, WaySet candidates) const override;

 private:
  void use(u32 set, u32 way);

  u32 leaves_;
  std::vector<u64> trees_;  // of each set: bit n is node n (root 1, children of n at 2n and 2n+1); set: the right half is older
};

inline constexpr ReplacementEntry kTreePlru{
    {.name = "tree_plru",
     .text = "Pseudo-LRU: a binary tree over the ways, each node pointing to the half that was used less recently.",
     .source =
         "Al-Zoubi, Milenkovic, Milenkovic, \"Performance Evaluation of Cache Replacement Policies for the SPEC CPU2000 Benchmark Suite\", "
         "ACM-SE 2004"},
    makePlain<TreePlru>};

}  // namespace warpwright::mem
