// The order in which the blocks of a grid begin, where it is not that of their numbers.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

class BlockOrder {
 public:
  // Blocks whose numbers follow one another.
  struct Stretch {
    u64 first = 0, blocks = 0;
  };

  // Together they are all blocks of the grid, each once, and none is empty. Those of a cluster stay together.
  explicit BlockOrder(std::vector<Stretch> stretches);

  const std::vector<Stretch>& stretches() const { return stretches_; }
  // The number of the block that is the position-th, from 0 on.
  u64 at(u64 position) const;

 private:
  std::vector<Stretch> stretches_;
  std::vector<u64> ends_;  // positions behind each
};

}  // namespace warpwright::exec
