// How far away the next read of every live unit is.
#pragma once

#include <utility>
#include <vector>

#include "compiler/analysis/loops.hpp"
#include "compiler/liveness.hpp"

namespace warpwright::compiler {

// Distances count instructions along the shortest path; every loop that the path leaves adds kLoopExit, so that what a loop does not
// read is farther away than anything it does (Braun, Hack: "Register Spilling and Live-Range Splitting for SSA-Form Programs", 2009).
class NextUse {
 public:
  static constexpr u32 kLoopExit = 100'000;
  static constexpr u32 kNever = ~u32{0};

  NextUse(const MachineFunction& function, const ControlFlow& flow, const Liveness& liveness, const Loops& loops);

  // From the beginning of a block; kNever for what is not live there.
  u32 atEntry(u32 block, u32 unit) const { return find(entry_[block], unit); }
  // From a position in a block, the instruction there included, of a unit that is live there.
  u32 from(u32 block, u32 position, u32 unit) const;

 private:
  using Distances = std::vector<std::pair<u32, u32>>;  // unit → distance, sorted

  static u32 find(const Distances& distances, u32 unit);
  void findReads();
  Distances exitOf(u32 block) const;
  Distances entryOf(u32 block, const Distances& exit) const;

  const MachineFunction& function_;
  const ControlFlow& flow_;
  const Liveness& liveness_;
  const Loops& loops_;
  std::vector<Distances> reads_;  // per block: (unit, position), sorted
  std::vector<Distances> entry_, exit_;
};

}  // namespace warpwright::compiler
