// Tree pseudo-LRU: a binary tree over the ways, each node pointing to the half that was used less recently.
#pragma once

#include <vector>

#include "mem/cache/replacement/replacement.hpp"

namespace warpwright::mem {

// Any number of ways: the tree spans the next power of two, and a half without candidates is never entered.
class TreePlru final : public Replacement {
 public:
  TreePlru(u32 sets, u32 ways);
  void touched(u32 set, u32 way) override;
  void installed(u32 set, u32 way) override { touched(set, way); }
  u32 victim(u32 set, WayMask candidates) const override;

 private:
  u32 leaves_;
  std::vector<u64> trees_;  // of each set: bit n is node n (root 1, children of n at 2n and 2n+1); set: the right half is older
};

}  // namespace warpwright::mem
