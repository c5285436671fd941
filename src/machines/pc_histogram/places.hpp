// Where the threads of blocks stand in a program.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::machines {

// Threads of a warp that stand at one instruction.
struct Place {
  Pc pc;
  LaneMask lanes;  // not empty
  bool operator==(const Place&) const = default;
};

// Of a warp. No thread stands at two places; each place is of another instruction.
class WarpPlaces {
 public:
  WarpPlaces(Pc pc, LaneMask lanes) : places_{{pc, lanes}} {}

  // Those of the lanes that have not left go there.
  void move(LaneMask lanes, Pc pc);
  void leave(LaneMask lanes);
  const std::vector<Place>& all() const { return places_; }
  bool empty() const { return places_.empty(); }
  u32 threads() const;

 private:
  LaneMask take(LaneMask lanes);
  std::vector<Place> places_;
};

struct BlockPlaces {
  u64 block = 0;                  // of the grid
  std::vector<WarpPlaces> warps;  // all of the block; those whose threads have exited are empty

  // threads: of the block. All of them stand at `pc`.
  BlockPlaces(u64 number, u32 threads, u32 warpSize, Pc pc);
  bool empty() const;
};

}  // namespace warpwright::machines
