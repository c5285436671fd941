#include "mem/cache/replacement/tree_plru.hpp"

#include <bit>

namespace warpwright::mem {

TreePlru::TreePlru(u32 sets, u32 ways) : leaves_(std::bit_ceil(ways)), trees_(sets) {}

void TreePlru::use(u32 set, u32 way) {
  u64& tree = trees_[set];
  for (u32 node = leaves_ + way; node > 1; node /= 2) {
    const u64 parent = u64{1} << (node / 2);
    const bool isRight = node % 2 != 0;
    tree = isRight ? tree & ~parent : tree | parent;
  }
}

u32 TreePlru::victim(u32 set, WaySet candidates) const {
  const u64 tree = trees_[set];
  u32 node = 1, firstWay = 0;
  for (u32 half = leaves_ / 2; half != 0; half /= 2) {
    const bool left = candidates.meets(WaySet::range(firstWay, half));
    const bool right = candidates.meets(WaySet::range(firstWay + half, half));
    const bool goRight = !left || (right && (tree >> node & 1) != 0);
    node = node * 2 + (goRight ? 1 : 0);
    firstWay += goRight ? half : 0;
  }
  return firstWay;
}

}  // namespace warpwright::mem
