// Clusters of blocks (PTX ISA, "Cluster of Cooperative Thread Arrays"): blocks that are resident together, reach each other's shared memory
// (isa/address_space.hpp says at which addresses), and have a barrier of their own.
#pragma once

#include <array>
#include <optional>

#include "exec/launch.hpp"
#include "exec/race_detector.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {

class Block;
struct Grid;

// The blocks of a grid in clusters. Blocks begin cluster by cluster, in the order of their ranks.
class ClusterShape {
 public:
  // Where clusters are of one block, that is the order of the blocks.
  ClusterShape(const Dim3& grid, const Dim3& cluster);

  u32 blocks() const { return blocks_; }  // of a cluster
  const Dim3& dimensions() const { return cluster_; }
  const Dim3& clusters() const { return clusters_; }  // of the grid
  // The linear index in the grid of the block that begins as this one, from 0.
  u64 blockAt(u64 order) const;
  Dim3 clusterOf(const Dim3& block) const;
  Dim3 positionInCluster(const Dim3& block) const;
  u32 rankOf(const Dim3& block) const;

 private:
  Dim3 grid_, cluster_, clusters_;
  u32 blocks_;
};

// A resident cluster of several blocks.
struct Cluster {
  std::array<Block*, isa::kMostClusterBlocks> blocks{};  // by rank; null: it has ended
  ClusterRaces races;                                    // of its barrier
};

// What lies at an address in shared memory, as a block sees it.
struct SharedPlace {
  Block* block = nullptr;  // null: no block of the cluster has it, or that one has ended
  SharedOffset offset;     // in the block's shared memory
};
SharedPlace placeOf(Grid& grid, Block& self, SharedOffset address);
// The rank of the block that an address names; none: the block itself, by its own address.
std::optional<u64> rankNamedBy(SharedOffset address);

// --- the barrier of a cluster
// Every thread that has not exited has arrived, and some have.
bool hasClusterArrived(const Block& block);
// The same; if so, its next phase begins, and openClusterBarrier() must follow for every block.
bool takeClusterArrival(Block& block);
// Threads of the block that wait go on: all of its cluster have arrived.
void openClusterBarrier(Grid& grid, Block& block);
// Opens the barrier for all blocks, if all have arrived.
void completeClusterBarrier(Grid& grid, Block& block);
// Where races are followed.
ClusterRaces& racesOf(Block& block);

}  // namespace warpwright::exec
