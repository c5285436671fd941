// Where the threads of blocks stand in a program.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::machines {

// Threads of a warp that stand at one instruction.
struct Position {
  Pc pc;
  LaneMask lanes;  // not empty
  bool operator==(const Position&) const = default;
};

// Of a warp. No thread stands at two positions; each position is of another instruction.
class WarpPositions {
 public:
  WarpPositions(Pc pc, LaneMask lanes) : positions_{{pc, lanes}} {}

  // Those of the lanes that have not left go there.
  void move(LaneMask lanes, Pc pc);
  void leave(LaneMask lanes);
  const std::vector<Position>& all() const { return positions_; }
  bool empty() const { return positions_.empty(); }
  u32 threads() const;

 private:
  LaneMask take(LaneMask lanes);
  std::vector<Position> positions_;
};

struct BlockPositions {
  u64 block = 0;                     // of the grid
  std::vector<WarpPositions> warps;  // all of the block; those whose threads have exited are empty

  // threads: of the block. All of them stand at `pc`.
  BlockPositions(u64 number, u32 threads, u32 warpSize, Pc pc);
  bool empty() const;
};

}  // namespace warpwright::machines
