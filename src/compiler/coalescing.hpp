// Joins the register groups that copies connect, so that the copies disappear.
#pragma once

#include "compiler/live_ranges.hpp"

namespace warpwright::compiler {

// Register groups joined at fixed distances: units of one cluster get registers at the same distances.
class Clusters {
 public:
  // `join`: whether copies join groups at all.
  Clusters(const MachineFunction& function, std::vector<LiveRange> ranges, bool join);

  struct Cluster {
    u32 words = 0, alignment = 1;
    std::vector<LiveRange> ranges;  // per word
  };
  u32 count() const { return static_cast<u32>(clusters_.size()); }
  const Cluster& cluster(u32 index) const { return clusters_[index]; }
  // Its register is given (findFixedGroups); nothing is joined with it.
  bool isFixed(u32 index) const { return index < fixed_.size() && fixed_[index]; }
  // False for a cluster that was joined to another one.
  bool isRoot(u32 index) const { return parent_[index].cluster == index; }

  // Words (not predicates) stay taken longer: those that end at point e until the point until[e].
  void extend(const std::vector<u32>& until);

  struct Position {
    u32 cluster = 0, offset = 0;
  };
  // Predicates are clusters of one word behind those of the register groups.
  Position positionOf(u32 unit) const;

 private:
  void joinCopies();
  void tryJoin(u32 unitA, u32 unitB);
  Position rootOf(u32 cluster) const;

  const MachineFunction& function_;
  std::vector<bool> fixed_;  // per group
  std::vector<Cluster> clusters_;
  std::vector<Position> parent_;
};

}  // namespace warpwright::compiler
