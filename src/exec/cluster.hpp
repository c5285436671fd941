// The shared memory of a cluster's blocks, as one of them addresses it. Clusters have one block here, of rank 0.
#pragma once

#include "exec/grid.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {

struct SharedPlace {
  Block& block;
  SharedOffset offset;  // in its shared memory
};

// Where an offset in the shared window of a block leads. Beyond the last block of the cluster it stays an offset that no block has.
inline SharedPlace placeOf(Grid&, Block& self, SharedOffset offset) {
  const bool isOfRank = offset >= isa::kClusterStride && offset < 2 * isa::kClusterStride;
  return {self, isOfRank ? offset - isa::kClusterStride : offset};
}

}  // namespace warpwright::exec
